module github.com/cohesion-org/deepseek-go

go 1.26
