// Package bedrockruntime is a stub: only names and signatures of the SDK matter to the analysis.
package bedrockruntime

import "github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"

type ConverseInput struct {
	ModelId  *string
	Messages []types.Message
}
