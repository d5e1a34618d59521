module github.com/Azure/azure-sdk-for-go/sdk/ai/azopenai

go 1.26
