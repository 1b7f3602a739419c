import { expect, test } from 'vitest'
import type { ToolCall } from '../ports/tool.ts'
import { answerOf } from '../testing/run-kit.ts'
import type { Reply } from '../testing/scripted-model.ts'
import { recorded, startLoop, tool } from './testing/loop-setting.ts'

const call = (name: string, input: Record<string, unknown> | string = {}) => ({ call: name, input })
const choices = (calls: ReturnType<typeof startLoop>['calls']) =>
  calls.map(({ options }) => options.toolChoice?.type)

test('an answer in text is one call, without tools in the request', async () => {
  const { result, calls, ctx, actor } = startLoop({ script: ['Hello'] })
  expect(await result).toEqual({
    text: 'Hello',
    messageId: 'msg_0',
    finishReason: 'stop',
    toolsExecuted: 0,
    state: null,
  })
  expect(calls[0]?.options).not.toHaveProperty('tools')
  expect(ctx.output.answer.text).toBe('Hello')
  expect(actor.spent).toMatchObject({ inputTokens: 10, outputTokens: 5, failoverUsed: false })
  expect([ctx.spending.ledger.inputTokens, ctx.spending.ledger.outputTokens]).toEqual([10, 5])
})

test('a called tool is executed, and its result is in the next prompt under our id', async () => {
  const { result, calls, ctx } = startLoop({
    script: [call('add', { a: 1 }), 'Done'],
    tools: [tool('add')],
  })
  expect(await result).toMatchObject({ text: 'Done', toolsExecuted: 1 })
  expect(choices(calls)).toEqual(['auto', 'auto'])
  expect(calls[1]?.prompt.slice(1)).toEqual([
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: 'call_0_0', toolName: 'add', input: { a: 1 } }],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'call_0_0',
          toolName: 'add',
          output: { type: 'text', value: 'add {"a":1}' },
        },
      ],
      providerOptions: { troupe: { acted: true } },
    },
  ])
  expect(
    ctx.output.transcript.messages.map(({ role, content, toolCallId }) => [role, content, toolCallId]),
  ).toEqual([
    ['assistant', null, null],
    ['tool', 'add {"a":1}', 'call_0_0'],
    ['assistant', 'Done', null],
  ])
  expect(ctx.shown.filter(({ event }) => event.startsWith('ToolCall'))).toMatchObject([
    { event: 'ToolCallStarted', toolCallId: 'call_0_0', toolName: 'add', args: { a: 1 } },
    { event: 'ToolCallCompleted', toolCallId: 'call_0_0', result: 'add {"a":1}', truncated: false },
  ])
})

/**
 * Three calls of one step; returns the events of their executions. If they run in parallel, each ends after the next
 * one has ended.
 */
async function threeCalls(parallelToolCalls: boolean): Promise<string[]> {
  const log: string[] = []
  const ended = [0, 1, 2].map(() => Promise.withResolvers<void>())
  const slow = tool('slow', {
    async execute({ n }) {
      log.push(`start ${n}`)
      if (parallelToolCalls) await ended[Number(n) + 1]?.promise
      log.push(`end ${n}`)
      ended[Number(n)]?.resolve()
      return { ok: true, text: `result ${n}` }
    },
  })
  const { result, calls } = startLoop({
    script: [[0, 1, 2].map((n) => call('slow', { n })), 'Done'],
    tools: [slow],
    limits: { parallelToolCalls },
  })
  expect(await result).toMatchObject({ text: 'Done', toolsExecuted: 3 })
  expect(calls[1]?.results).toEqual(['result 0', 'result 1', 'result 2'])
  return log
}

test('the calls of a step run concurrently, and their results keep the order of the model', async () => {
  expect(await threeCalls(true)).toEqual(['start 0', 'start 1', 'start 2', 'end 2', 'end 1', 'end 0'])
})

test('without parallel_tool_calls the calls of a step run one after the other', async () => {
  expect(await threeCalls(false)).toEqual(['start 0', 'end 0', 'start 1', 'end 1', 'start 2', 'end 2'])
})

test('at most eight calls of a step run concurrently', async () => {
  let running = 0
  let most = 0
  const busy = tool('busy', {
    async execute() {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setTimeout(resolve, 2))
      running -= 1
      return { ok: true, text: '' }
    },
  })
  const step = Array.from({ length: 20 }, (_, n) => call('busy', { n }))
  const { result } = startLoop({ script: [step, 'Done'], tools: [busy] })
  expect(await result).toMatchObject({ toolsExecuted: 20 })
  expect(most).toBe(8)
})

const MISTAKES: Record<string, { step: Reply; error: { code: string; message: string } }> = {
  'a tool that does not exist': {
    step: call('nothing'),
    error: { code: 'unknown_tool', message: 'There is no tool named nothing.' },
  },
  'broken JSON': {
    step: call('strict', '{"a": '),
    error: { code: 'invalid_arguments', message: 'The arguments are not valid JSON.' },
  },
  'arguments that are no object': {
    step: call('strict', '[1]'),
    error: { code: 'invalid_arguments', message: 'The arguments must be a JSON object.' },
  },
  'arguments that the tool refuses': {
    step: call('strict', { a: 'x' }),
    error: { code: 'invalid_arguments', message: '"a" must be a number.' },
  },
}

test.each(Object.entries(MISTAKES))('%s becomes a result, and the loop continues', async (_, {
  step,
  error,
}) => {
  const seen: ToolCall[] = []
  const strict = recorded('strict', seen, { problemOf: () => '"a" must be a number.' })
  const { result, calls, ctx } = startLoop({ script: [step, 'Done'], tools: [strict] })
  expect(await result).toMatchObject({ text: 'Done' })
  expect(calls[1]?.results.map((text) => JSON.parse(text))).toEqual([{ error }])
  expect(ctx.output.transcript.messages.at(-2)).toMatchObject({ role: 'tool', isError: true })
  expect(seen).toEqual([])
})

test.each(['', '  \n'])('an empty text as arguments (%j) means no arguments', async (text) => {
  const { result, calls } = startLoop({ script: [call('free', text), 'Done'], tools: [tool('free')] })
  await result
  expect(calls[1]?.results).toEqual(['free {}'])
})

test('a tool that throws is reported in one safe sentence', async () => {
  const broken = tool('broken', {
    execute: () => Promise.reject(new Error('secret host 10.0.0.1')),
  })
  const { result, calls, ctx } = startLoop({ script: [call('broken'), 'Done'], tools: [broken] })
  expect(await result).toMatchObject({ text: 'Done', toolsExecuted: 1 })
  expect(calls[1]?.results).toEqual(['{"error":{"code":"failed","message":"The tool failed."}}'])
  expect(ctx.shown).toContainEqual(
    expect.objectContaining({ event: 'ToolCallError', toolCallId: 'call_0_0' }),
  )
  expect(JSON.stringify([ctx.shown, ctx.output.transcript.messages])).not.toContain('10.0.0.1')
})

test.each([
  ['listens to its signal', true],
  ['never answers, whatever its signal says', false],
])('a tool that %s is ended by its timeout', async (_, listens) => {
  const late = tool('late', {
    timeoutMs: 10,
    execute: (_input, { signal }) =>
      new Promise((_resolve, reject) => {
        if (listens) signal.addEventListener('abort', () => reject(signal.reason))
      }),
  })
  const { result, calls } = startLoop({ script: [call('late'), 'Done'], tools: [late] })
  expect(await result).toMatchObject({ text: 'Done' })
  const message = 'The tool did not answer within 10 ms.'
  expect(calls[1]?.results).toEqual([JSON.stringify({ error: { code: 'timeout', message } })])
})

test.each([
  true,
  false,
])('an abort during a tool call throws the reason (the tool listens: %s)', async (listens) => {
  const controller = new AbortController()
  const hanging = tool('hanging', {
    execute: (_input, { signal }) =>
      new Promise((_resolve, reject) => {
        if (listens) signal.addEventListener('abort', () => reject(signal.reason))
        controller.abort(new Error('the reason'))
      }),
  })
  const { result, calls } = startLoop({
    script: [call('hanging')],
    tools: [hanging],
    signal: controller.signal,
  })
  await expect(result).rejects.toThrow('the reason')
  expect(calls).toHaveLength(1)
})

test('text beside tool calls is voided in the stream and is not in the answer', async () => {
  const { result, ctx, calls } = startLoop({
    script: [[{ text: 'Let me ' }, { text: 'look.' }, call('look')], 'Found.'],
    tools: [tool('look')],
  })
  expect((await result).text).toBe('Found.')
  expect(ctx.output.answer.text).toBe('Found.')
  expect(answerOf(ctx.shown)).toBe('Found.')
  expect(ctx.shown.filter(({ event }) => event === 'RunContentReset')).toMatchObject([
    { messageId: 'msg_0', reason: 'tool_calls' },
  ])
  expect(calls[1]?.prompt[1]).toMatchObject({ content: [{ type: 'text', text: 'Let me look.' }, {}] })
  expect(ctx.output.transcript.messages[0]?.content).toBe('Let me look.')
})

test('an empty answer is an error', async () => {
  const { result } = startLoop({ script: [[]] })
  await expect(result).rejects.toMatchObject({ name: 'ChatModelError', code: 'empty_response' })
})

test('call ids are ours, even if the provider repeats its own', async () => {
  const seen: ToolCall[] = []
  const twice = [call('look', { n: 1 }), call('look', { n: 2 })]
  const { result, calls } = startLoop({
    script: [twice, twice.map(({ call: name }) => call(name, { n: 3 })), 'Done'],
    tools: [recorded('look', seen)],
  })
  await result
  expect(seen.map(({ id, key }) => [id, key])).toEqual([
    ['call_0_0', 'call:0.0'],
    ['call_0_1', 'call:0.1'],
    ['call_1_0', 'call:1.0'],
    ['call_1_1', 'call:1.1'],
  ])
  const ids = calls[2]?.prompt.flatMap(({ content }) =>
    typeof content === 'string'
      ? []
      : content.flatMap((part) => ('toolCallId' in part ? [part.toolCallId] : [])),
  )
  const [first, second] = [
    ['call_0_0', 'call_0_1'],
    ['call_1_0', 'call_1_1'],
  ]
  expect(ids).toEqual([first, first, second, second].flat())
})
