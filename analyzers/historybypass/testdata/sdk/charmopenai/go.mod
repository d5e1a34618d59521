module github.com/charmbracelet/openai-go

go 1.26
