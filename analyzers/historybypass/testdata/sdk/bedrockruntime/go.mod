module github.com/aws/aws-sdk-go-v2/service/bedrockruntime

go 1.26
