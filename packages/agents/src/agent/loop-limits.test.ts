import { expect, test } from 'vitest'
import type { ToolCall } from '../ports/tool.ts'
import type { LoopLimits } from './agent-loop.ts'
import { recorded, startLoop } from './testing/loop-setting.ts'

const look = (n: unknown) => ({ call: 'look', input: { n } })

/** A loop whose model calls `look` without end, with new arguments and a text in every step. */
async function endless(limits: Partial<LoopLimits>, callsPerStep = 1) {
  const seen: ToolCall[] = []
  let step = 0
  const { result, calls } = startLoop({
    script: () => {
      step += 1
      const asked = Array.from({ length: callsPerStep }, (_, index) => look(`${step}.${index}`))
      return [{ text: `text ${step}` }, ...asked]
    },
    tools: [recorded('look', seen)],
    limits,
  })
  const { text, toolsExecuted } = await result
  return { text, toolsExecuted, seen, calls, choices: calls.map(({ options }) => options.toolChoice?.type) }
}

test('the last step that max_steps allows is forced to text', async () => {
  const { text, choices, seen } = await endless({ maxSteps: 3 })
  expect(text).toBe('text 3')
  expect(choices).toEqual(['auto', 'auto', 'none'])
  expect(seen).toHaveLength(2)
})

test('with one step, the answer is text immediately', async () => {
  expect(await endless({ maxSteps: 1 })).toMatchObject({ text: 'text 1', choices: ['none'], seen: [] })
})

test('no tool calls at all means text immediately: 0 is not unset', async () => {
  expect(await endless({ maxToolCalls: 0 })).toMatchObject({ text: 'text 1', choices: ['none'], seen: [] })
})

test('after max_tool_calls the next step is forced to text, and calls beyond it are refused', async () => {
  const { text, choices, seen, toolsExecuted, calls } = await endless({ maxToolCalls: 3 }, 2)
  expect([text, toolsExecuted, seen.length]).toEqual(['text 3', 3, 3])
  expect(choices).toEqual(['auto', 'auto', 'none'])
  expect(calls[2]?.results.map((result) => result.includes('"denied"'))).toEqual([false, false, false, true])
})

test('only the first step must call a tool when the configuration says required', async () => {
  const { choices } = await endless({ maxSteps: 3, toolChoice: 'required' })
  expect(choices).toEqual(['required', 'auto', 'none'])
})

test('the third equal call is refused as repeated, and the next step is forced to text', async () => {
  const seen: ToolCall[] = []
  const { result, calls } = startLoop({
    script: [
      { call: 'look', input: '{"a":1,"b":2}' },
      { call: 'look', input: '{"b":2,"a":1}' },
      [{ call: 'look', input: '{ "a": 1, "b": 2 }' }, look(0)],
      'Done',
    ],
    tools: [recorded('look', seen)],
  })
  expect((await result).text).toBe('Done')
  expect(seen.map(({ id }) => id)).toEqual(['call_0_0', 'call_1_0', 'call_2_1'])
  expect(JSON.parse(calls[3]?.results[2] ?? '')).toEqual({
    error: { code: 'repeated', message: 'Stop repeating; answer with what you have.' },
  })
  expect(calls.map(({ options }) => options.toolChoice?.type)).toEqual(['auto', 'auto', 'auto', 'none'])
})

test('results above the limit of the tool are cut to head and tail', async () => {
  const long = `HEAD${'x'.repeat(50_000)}TAIL`
  const { result, calls, ctx } = startLoop({
    script: [look(0), 'Done'],
    tools: [recorded('look', [], { execute: async () => ({ ok: true, text: long }) })],
  })
  await result
  const [shown] = calls[1]?.results ?? []
  expect(Buffer.byteLength(shown ?? '')).toBeLessThanOrEqual(32 * 1024)
  expect(shown).toMatch(/^HEADx+\n… \[\d+ bytes left out\] …\nx+TAIL$/)
  const completed = ctx.shown.find(({ event }) => event === 'ToolCallCompleted')
  expect(completed).toMatchObject({ truncated: true })
  expect(Buffer.byteLength(JSON.stringify(completed))).toBeLessThan(9 * 1024)
})
