import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type RunSetting, startRunSetting } from './model-agent.ts'

let setting: RunSetting
let origin: string
beforeAll(async () => {
  setting = await startRunSetting()
  origin = await setting.server.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => setting[Symbol.asyncDispose]())
beforeEach(() => setting.model.reset())

// The format of servers without a reasoning parser: https://docs.vllm.ai/en/latest/features/reasoning_outputs.html
test.each([
  ['marked', '<think>\nOne or two?\n</think>\n\nTwo.'],
  ['not opened', 'One or two?\n</think>\n\nTwo.'],
  ['not opened, for the second time', 'Two or one?\n</think>\n\nTwo.'],
])('thoughts that are %s are not part of the answer, nor of the next prompt', async (_name, text) => {
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

// Reasoning models whose template contains the opening tag: see `thought-habits.ts`.
test('thoughts without an opening tag are never visible, neither in streams nor to clients without text resets', async () => {
  const text = 'One or two?\n</think>\n\nTwo.'
  const read = async (modelId: string, path: (id: string) => string, body: object) => {
    const { agentId } = await setting.agent({ model: { primary: { model_id: modelId } } })
    setting.model.script({ text, chunks: 6 })
    const payload = { message: 'x', ...(path(agentId).includes('openai') && { model: agentId }), ...body }
    const key = setting.server.seed.keys.organization
    const answer = await fetch(`${origin}${path(agentId)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key, authorization: `Bearer ${key}` },
      body: JSON.stringify(payload),
    })
    const deltas = (await answer.text()).matchAll(/"(?:delta|content)":("[^"]*")/g)
    return [...deltas].map(([, delta]) => JSON.parse(delta ?? '')).join('')
  }
  const streamed = await read('qwq-32b', (id) => `/api/v1/agents/${id}/run-stream`, {})
  expect(streamed).toMatch(/^Two\.(?:Two\.)*$/)
  const messages = [{ role: 'user', content: 'x' }]
  const chunks = await read('deepseek-r1', () => '/api/v1/openai/chat/completions', {
    messages,
    stream: true,
  })
  expect(chunks).toBe('Two.')
})
