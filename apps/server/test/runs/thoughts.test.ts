import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type RunSetting, startRunSetting } from './model-agent.ts'

let setting: RunSetting
beforeAll(async () => {
  setting = await startRunSetting()
})
afterAll(() => setting[Symbol.asyncDispose]())
beforeEach(() => setting.model.reset())

// As servers without a reasoning parser send them: https://docs.vllm.ai/en/latest/features/reasoning_outputs.html
test.each([
  ['marked', '<think>\nOne or two?\n</think>\n\nTwo.'],
  ['not opened', 'One or two?\n</think>\n\nTwo.'],
  ['not opened, for the second time', 'Two or one?\n</think>\n\nTwo.'],
])('thoughts that are %s are no part of the answer, nor of what the next model reads', async (_name, text) => {
  const { agentId } = await setting.agent()
  setting.model.script({ text, chunks: 6 }, 'Three.')
  const first = await setting.run(agentId, { message: 'x' })
  expect(first).toMatchObject({ status: 200, body: { content: 'Two.' } })
  const { sessionId } = first.body as { sessionId: string }
  await setting.run(agentId, { message: 'y', session_id: sessionId })
  expect(JSON.stringify(setting.model.requests.at(-1)?.body)).not.toMatch(/think|or two|or one/)
})

test('thoughts before JSON leave the structured answer valid', async () => {
  const { agentId } = await setting.agent({
    output: { schema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } },
  })
  setting.model.script({ text: '<think>{"id": maybe}</think>{"id":"a"}', chunks: 4 })
  const { body } = await setting.run(agentId, { message: 'x' })
  expect(JSON.parse(String((body as { content: unknown }).content))).toEqual({ id: 'a' })
})
