import { journalStep, SliceEnded, type StoredStep } from '@troupe/durable-work'
import fc from 'fast-check'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { startLoop, tool } from '../agent/testing/loop-setting.ts'
import type { NewRunMessage } from '../ports/run-store.ts'
import type { Tool } from '../ports/tool.ts'
import type { ScriptedCall } from '../testing/scripted-model.ts'
import { Journal } from './journal.ts'

const ANY = journalStep('any', 1, Type.Unknown())

/** A step as programs wrote it before they stored kinds and versions. */
const stored = (output: unknown): StoredStep => ({ name: null, version: 1, output })

test('a committed step returns its output without being repeated', async () => {
  const journal = new Journal(new Map([['a', stored({ n: 1 })]]))
  expect(journal.has('a')).toBe(true)
  const never = () => Promise.reject(new Error('done again'))
  expect(await journal.once(ANY, 'a', never)).toEqual({ n: 1 })
})

test('a step is committed before its output is used', async () => {
  const log: string[] = []
  const journal = new Journal(new Map(), async (key, { name, version, output }) => {
    await Promise.resolve()
    log.push(`commit ${key} as ${name} ${version}: ${output}`)
  })
  await journal.once(ANY, 'a', async () => 1).then(() => log.push('used'))
  expect(log).toEqual(['commit a as any 1: 1', 'used'])
})

test('a step that throws and a commit that fails leave nothing behind', async () => {
  const refused = new Journal(new Map(), () => Promise.reject(new Error('no database')))
  await expect(refused.once(ANY, 'a', async () => 1)).rejects.toThrow('no database')
  const broken = refused.once(ANY, 'b', () => Promise.reject(new Error('broken')))
  await expect(broken).rejects.toThrow('broken')
  expect([refused.has('a'), refused.has('b')]).toEqual([false, false])
  await refused.settled()
})

test('after its end no step starts, committed ones are still returned, and running ones are awaited', async () => {
  const journal = new Journal(new Map([['old', stored(1)]]))
  let finish = () => {}
  const underWay = journal.once(
    ANY,
    'slow',
    () => new Promise<string>((resolve) => (finish = () => resolve('done'))),
  )
  journal.end()
  await expect(journal.once(ANY, 'new', async () => 2)).rejects.toBeInstanceOf(SliceEnded)
  expect(await journal.once(ANY, 'old', async () => 2)).toBe(1)
  let settled = false
  const all = journal.settled().then(() => (settled = true))
  await new Promise((resolve) => setTimeout(resolve, 1))
  expect(settled).toBe(false)
  finish()
  expect(await underWay).toBe('done')
  await all
})

/** Where a worker dies: at the commit with this number, before or after it is written. */
interface Death {
  at: number
  written: boolean
}

const PLAN = [
  [{ text: 'Both first.' }, { call: 'safe', input: { n: 1 } }, { call: 'unsafe', input: { n: 1 } }],
  [
    { call: 'unsafe', input: { n: 2 } },
    { call: 'missing', input: {} },
  ],
  [{ call: 'safe', input: { n: 2 } }],
  [{ text: 'The ' }, { text: 'end.' }],
]

/** Runs the loop repeatedly, with a worker that dies at each of these commits in turn. */
async function survive(deaths: readonly Death[]) {
  const committed = new Map<string, StoredStep>()
  const executions: string[] = []
  const recordedTool = (name: string, idempotent: boolean): Tool =>
    tool(name, {
      idempotent,
      async execute({ n }, { key }) {
        expect(committed.has(key)).toBe(false)
        executions.push(key)
        return { ok: true, text: `${name} ${n}` }
      },
    })
  const tools = [recordedTool('safe', true), recordedTool('unsafe', false)]
  /** A model that infers its step from the previous results, as a model does. */
  const script = ({ results }: ScriptedCall) => {
    const step = [0, 2, 4, 5].indexOf(results.length)
    expect(committed.has(`step:${step}`)).toBe(false)
    return PLAN[step] ?? []
  }
  let modelCalls = 0
  for (let turn = 0; ; turn += 1) {
    const death = deaths[turn]
    let commits = 0
    const journal = new Journal(new Map(committed), async (key, step) => {
      const dies = death && commits >= death.at
      if (!dies || (commits === death.at && death.written)) committed.set(key, structuredClone(step))
      commits += 1
      if (dies) throw new Error('died')
    })
    const { result, ctx, calls } = startLoop({ script, tools, journal, turn })
    const ended = await result.catch((error: Error) => error)
    modelCalls += calls.length
    if (ended instanceof Error) {
      expect(ended.message).toBe('died')
      continue
    }
    return { ended, ctx, executions, modelCalls, commits }
  }
}

const withoutTimes = (messages: readonly NewRunMessage[]) =>
  messages.map(({ createdAt: _, toolCalls, ...rest }) => ({
    ...rest,
    toolCalls: toolCalls?.map(({ ms: __, startedAt: ___, ...call }) => call),
  }))

test('an agent whose worker dies after any committed step repeats no call of a model or a tool', async () => {
  const calm = await survive([])
  expect([calm.modelCalls, calm.executions.length, calm.commits]).toEqual([4, 4, 10])
  for (let at = 0; at < calm.commits; at += 1) {
    const { ended, ctx, modelCalls } = await survive([{ at, written: true }])
    expect(modelCalls).toBe(4)
    expect([ended.text, ctx.output.answer.text]).toEqual(['The end.', 'The end.'])
  }
})

test('whenever a worker dies, an unsafe tool is executed at most once, and its result is not invented', async () => {
  const calm = await survive([])
  const death = fc.record({ at: fc.nat(10), written: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(death, { maxLength: 4 }), async (deaths) => {
      const { ended, ctx, executions } = await survive(deaths)
      expect(ended.text).toBe('The end.')
      expect(ctx.output.answer.text).toBe('The end.')
      for (const key of ['call:0.1', 'call:1.0']) {
        const times = executions.filter((executed) => executed === key).length
        const id = key.replace(':', '_').replace('.', '_')
        const result = ctx.output.transcript.messages.find(({ toolCallId }) => toolCallId === id)
        const isUnknown = result?.content?.includes('"unknown_outcome"') ?? false
        expect(times).toBeLessThanOrEqual(1)
        if (!isUnknown) expect(times).toBe(1)
        if (isUnknown) expect(result?.isError).toBe(true)
      }
      if (!JSON.stringify(ctx.output.transcript.messages).includes('unknown_outcome')) {
        expect(withoutTimes(ctx.output.transcript.messages)).toEqual(
          withoutTimes(calm.ctx.output.transcript.messages),
        )
      }
      expect(ctx.output.transcript.messages.map(({ role, toolCallId }) => [role, toolCallId])).toEqual(
        calm.ctx.output.transcript.messages.map(({ role, toolCallId }) => [role, toolCallId]),
      )
    }),
    { numRuns: 150 },
  )
})

test('an interrupted call is also reported to the reader of the stream', async () => {
  const started = new Map<string, StoredStep>([
    [
      'step:0',
      stored({
        text: '',
        toolCalls: [{ name: 'unsafe', input: '{"n":1}' }],
        finishReason: 'tool-calls',
        messageId: 'msg_0',
        at: 1,
        spent: { inputTokens: 1, outputTokens: 1, failoverUsed: false },
        isLast: false,
      }),
    ],
    ['call:0.0:started', stored(true)],
  ])
  const { result, ctx, calls } = startLoop({
    script: ['Done'],
    tools: [tool('unsafe')],
    journal: new Journal(started),
    turn: 1,
  })
  await result
  expect(JSON.parse(calls[0]?.results[0] ?? '')).toMatchObject({ error: { code: 'unknown_outcome' } })
  expect(ctx.shown.filter(({ event }) => event.startsWith('Tool'))).toMatchObject([
    { event: 'ToolCallError', toolCallId: 'call_0_0', error: { code: 'unknown_outcome' } },
  ])
})
