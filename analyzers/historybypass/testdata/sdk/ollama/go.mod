module github.com/ollama/ollama

go 1.26
