import { expect, test } from 'vitest'
import { startLoop, tool } from './testing/loop-setting.ts'

const call = (name: string) => ({ call: name, input: {} })
const limits = { toolChoice: 'required' } as const
const choices = (calls: ReturnType<typeof startLoop>['calls']) =>
  calls.map(({ options }) => options.toolChoice?.type)

test('a model that answers although it must call a tool is corrected once, and its text is not the answer', async () => {
  const { result, calls, ctx } = startLoop({
    script: ['I know that myself.', call('add'), 'Done'],
    tools: [tool('add')],
    limits,
  })
  expect(await result).toMatchObject({ text: 'Done', toolsExecuted: 1 })
  expect(choices(calls)).toEqual(['required', 'required', 'auto'])
  expect(calls[1]?.prompt.slice(1, 3)).toMatchObject([
    { role: 'assistant', content: [{ text: 'I know that myself.' }] },
    { role: 'user', content: [{ text: expect.stringContaining('Call one of the tools') }] },
  ])
  expect(ctx.output.answer.text).toBe('Done')
  const resets = ctx.shown.filter(({ event }) => event === 'RunContentReset')
  expect(resets).toMatchObject([{ messageId: 'msg_0', reason: 'tool_calls' }])
})

test('a model that answers again fails the loop', async () => {
  const { result, calls } = startLoop({ script: ['No.', 'No!'], tools: [tool('add')], limits })
  await expect(result).rejects.toThrow('The model answered without calling the required tool.')
  expect(calls).toHaveLength(2)
})

test('an agent without tools cannot be made to call one', async () => {
  const { result, calls } = startLoop({ script: ['Hello'], limits })
  expect(await result).toMatchObject({ text: 'Hello' })
  expect(calls).toHaveLength(1)
})
