import type { ModelReply, RecordedBody } from '@troupe/test-kit/model-server'
import { AGENT_ID, API_KEY } from './bundle.ts'

/** Steps of a run that call the tool; one more writes the answer. */
export const TOOL_STEPS = 10

/** The model's part: one call of the tool for each step, always with other arguments, and then a text. */
export function toolReply({ messages = [] }: RecordedBody): ModelReply {
  const step = messages.filter(({ role }) => role === 'tool').length
  if (step >= TOOL_STEPS) return { text: 'Hello from the model server.' }
  return { toolCalls: [{ name: 'look_up', arguments: { step } }] }
}

/** One organization with one agent, whose only tool is a GET of the tool server. */
export function toolBundle(modelUrl: string, toolUrl: string): string {
  const tool = {
    type: 'http',
    name: 'look_up',
    description: 'Looks up one step.',
    method: 'GET',
    url: `${toolUrl}/steps/{step}`,
    input_schema: { type: 'object', required: ['step'], properties: { step: { type: 'integer' } } },
  }
  return JSON.stringify({
    apiVersion: 'troupe/v1',
    organizations: [
      {
        slug: 'bench',
        name: 'Bench',
        limits: { rpm: 1_000_000_000, concurrentRuns: 1_000_000 },
        apiKeys: [{ name: 'bench', secret: API_KEY }],
        llmConfigurations: [
          {
            slug: 'main',
            name: 'Main',
            providerId: 'openai-compatible',
            default: true,
            baseUrl: modelUrl,
            models: [{ modelId: 'bench-model', contextLength: 128_000, maxOutputTokens: 4_096 }],
          },
        ],
        agents: [
          { slug: 'agent', id: AGENT_ID, name: 'Bench agent', status: 'active', config: { tools: [tool] } },
        ],
      },
    ],
  })
}
