import type { ModelReply, RecordedBody } from '@troupe/test-kit/model-server'
import { AGENT_ID, benchBundle } from './bundle.ts'

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
  const config = { tools: [tool] }
  return benchBundle(modelUrl, {
    agents: [{ slug: 'agent', id: AGENT_ID, name: 'Bench agent', status: 'active', config }],
  })
}
