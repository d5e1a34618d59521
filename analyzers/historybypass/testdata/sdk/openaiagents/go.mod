module github.com/nlpodyssey/openai-agents-go

go 1.26
