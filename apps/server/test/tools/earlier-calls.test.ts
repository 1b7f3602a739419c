import type { AgentRunResult } from '@troupe/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startToolSetting, type ToolSetting } from './tool-setting.ts'

let setting: ToolSetting
beforeAll(async () => {
  setting = await startToolSetting()
})
afterAll(() => setting[Symbol.asyncDispose]())
beforeEach(() => setting.model.reset())

const CALCULATOR = { type: 'builtin', name: 'calculate', builtin: 'calculator' }
const calls = (expression: string) => ({
  toolCalls: [{ name: 'calculate', arguments: { expression } }],
})

/** The messages of the newest request to the model, without instructions. */
function shown(): unknown[] {
  const { messages } = setting.model.requests.at(-1)?.body as { messages: { role: string }[] }
  return messages.filter(({ role }) => role !== 'system')
}

/** An exchange with one tool call, as sent to the model in a later run. */
const exchange = (id: unknown, [question, expression, result, answer]: readonly string[]) => [
  { role: 'user', content: question },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      {
        id,
        type: 'function',
        function: { name: 'calculate', arguments: JSON.stringify({ expression }) },
      },
    ],
  },
  { role: 'tool', tool_call_id: id, content: result },
  { role: 'assistant', content: answer },
]

test('the next runs of a session see the tool calls of the newest two, with their results', async () => {
  const { agentId } = await setting.agent({ tools: [CALCULATOR] })
  const run = async (message: string, ...script: Parameters<typeof setting.model.script>) => {
    setting.model.reset()
    setting.model.script(...script)
    const { body } = await setting.run(agentId, { message, session_id: 'calls' })
    return (body as AgentRunResult).content
  }
  expect(await run('One?', calls('1 * 1'), 'It is one.')).toBe('It is one.')
  await run('Four?', calls('2 * 2'), 'It is four.')
  await run('Nine?', calls('3 * 3'), 'It is nine.')
  await run('Thanks.', 'You are welcome.')
  const ids = shown().flatMap((message) => (message as { tool_call_id?: string }).tool_call_id ?? [])
  expect(new Set(ids).size).toBe(2)
  expect(shown()).toEqual([
    { role: 'user', content: 'One?' },
    { role: 'assistant', content: 'It is one.' },
    ...exchange(ids[0], ['Four?', '2 * 2', '4', 'It is four.']),
    ...exchange(ids[1], ['Nine?', '3 * 3', '9', 'It is nine.']),
    { role: 'user', content: 'Thanks.' },
  ])
})
