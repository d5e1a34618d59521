module example.com/agent

go 1.26

require (
	charm.land/fantasy v0.0.0
	example.org/htmltext v0.0.0
	example.org/languageserver v0.0.0
	github.com/Azure/azure-sdk-for-go/sdk/ai/azopenai v0.0.0
	github.com/anthropics/anthropic-sdk-go v0.0.0
	github.com/aws/aws-sdk-go-v2/service/bedrockruntime v0.0.0
	github.com/boundcheck/boundcheck v0.0.0
	github.com/charmbracelet/openai-go v0.0.0
	github.com/charmbracelet/x/ansi v0.0.0
	github.com/chromedp/chromedp v0.0.0
	github.com/cloudwego/eino v0.0.0
	github.com/cohesion-org/deepseek-go v0.0.0
	github.com/firebase/genkit/go v0.0.0
	github.com/go-kratos/blades v0.0.0
	github.com/google/generative-ai-go v0.0.0
	github.com/mark3labs/mcp-go v0.0.0
	github.com/modelcontextprotocol/go-sdk v0.0.0
	github.com/nlpodyssey/openai-agents-go v0.0.0
	github.com/ollama/ollama v0.0.0
	github.com/openai/openai-go v0.0.0
	github.com/openai/openai-go/v3 v3.0.0
	github.com/sashabaranov/go-openai v0.0.0
	github.com/tmc/langchaingo v0.0.0
	golang.org/x/crypto v0.0.0
	google.golang.org/adk v0.0.0
	google.golang.org/genai v0.0.0
	k8s.io/api v0.0.0
	k8s.io/apimachinery v0.0.0
	k8s.io/client-go v0.0.0
	sigs.k8s.io/yaml v0.0.0
	trpc.group/trpc-go/trpc-agent-go v0.0.0
)

replace (
	charm.land/fantasy => ../sdk/fantasy
	example.org/htmltext => ../sdk/htmltext
	example.org/languageserver => ../sdk/languageserver
	github.com/Azure/azure-sdk-for-go/sdk/ai/azopenai => ../sdk/azopenai
	github.com/anthropics/anthropic-sdk-go => ../sdk/anthropic
	github.com/aws/aws-sdk-go-v2/service/bedrockruntime => ../sdk/bedrockruntime
	github.com/boundcheck/boundcheck => ../sdk/boundcheck
	github.com/charmbracelet/openai-go => ../sdk/charmopenai
	github.com/charmbracelet/x/ansi => ../sdk/ansi
	github.com/chromedp/chromedp => ../sdk/chromedp
	github.com/cloudwego/eino => ../sdk/eino
	github.com/cohesion-org/deepseek-go => ../sdk/deepseek
	github.com/firebase/genkit/go => ../sdk/genkit
	github.com/go-kratos/blades => ../sdk/blades
	github.com/google/generative-ai-go => ../sdk/generativeai
	github.com/mark3labs/mcp-go => ../sdk/mcpgo
	github.com/modelcontextprotocol/go-sdk => ../sdk/gosdk
	github.com/nlpodyssey/openai-agents-go => ../sdk/openaiagents
	github.com/ollama/ollama => ../sdk/ollama
	github.com/openai/openai-go => ../sdk/openaiv1
	github.com/openai/openai-go/v3 => ../sdk/openai
	github.com/sashabaranov/go-openai => ../sdk/goopenai
	github.com/tmc/langchaingo => ../sdk/langchaingo
	golang.org/x/crypto => ../sdk/xcrypto
	google.golang.org/adk => ../sdk/adk
	google.golang.org/genai => ../sdk/genai
	k8s.io/api => ../sdk/api
	k8s.io/apimachinery => ../sdk/apimachinery
	k8s.io/client-go => ../sdk/clientgo
	sigs.k8s.io/yaml => ../sdk/yaml
	trpc.group/trpc-go/trpc-agent-go => ../sdk/trpcagent
)
