module github.com/google/generative-ai-go

go 1.26
