import type { RunState } from '@troupe/graph'
import { expect, test } from 'vitest'
import type { ClaimedWorkflowRun } from '../ports/workflow-store.ts'
import { RunBuffer } from './run-buffer.ts'

const run = {
  variables: {},
  nodeRuns: [],
  iterations: [],
  lastSeq: 0,
  storedBytes: 0,
} as unknown as ClaimedWorkflowRun
const loopGraph = { nodes: new Map([['loop', { role: 'loop' }]]) }
const at = (nodeId: string) => ({ path: '', nodeId, iteration: null })
const trace = (input: unknown) => ({ input, agentRunId: null, inputTokens: 1, outputTokens: 2 })
const told = (...changes: object[]) =>
  ({ variables: new Map(), graph: loopGraph, changes }) as unknown as RunState
const state = told()
const completed = (nodeId: string, output: unknown, bytes: number) => ({
  ...{ kind: 'node', path: '', nodeId, status: 'completed', handles: ['out'] },
  ...{ output, bytes },
})
const buffer = (now = () => 1_000) =>
  new RunBuffer(run, now, { names: new Set(['pin']), values: ['hunter2'] })

test('rows that start an effect are separate from the others, and only until they are taken', () => {
  const rows = buffer()
  rows.opened(at('loop'), { mode: 'count', count: 2 })
  rows.started(at('agent'))
  const first = rows.take(state)
  expect(first.nodeRuns.map(({ nodeId, status }) => [nodeId, status])).toEqual([['loop', 'running']])
  expect(first.starting.map(({ nodeId, attempt }) => [nodeId, attempt])).toEqual([['agent', 1]])
  rows.postponed(at('agent'), 1, 2_000)
  const second = rows.take(state)
  expect([second.nodeRuns.map(({ nodeId }) => nodeId), second.starting]).toEqual([['agent'], []])
})

test('the input of a node is stored without secrets and within 64 K characters; the items of a Loop are unchanged', () => {
  const rows = buffer()
  const input = {
    message: 'It is hunter2',
    pin: 'x',
    key: 'sk-abcdefghijklmnopqrst',
    long: 'y'.repeat(100_000),
  }
  rows.executed(at('agent'), trace(input))
  rows.started(at('agent'))
  const range = { mode: 'list', items: ['hunter2'] }
  rows.opened(at('loop'), range as never)
  const { nodeRuns, starting } = rows.take(state)
  const { long, ...rest } = starting[0]?.input as Record<string, string>
  expect(rest).toEqual({ message: 'It is [redacted]', pin: '[redacted]', key: '[redacted]' })
  expect(long).toMatch(/^y{60000,65536}… \[\d+ more characters cut\]$/)
  expect(nodeRuns[0]?.input).toEqual(range)
})

test('the request of a waiting node is taken once and unchanged, except for values of password fields', () => {
  const rows = buffer()
  const payload = { plan: 'Basic subscription', password: 'x', pin: '77', list: ['hunter2', 'It is hunter2'] }
  const long = 'y'.repeat(100_000)
  const shown = (value: unknown) => [
    { label: 'Payload', value },
    { label: 'Long', value: long },
  ]
  const request = { title: 'Bearer abcdefghijklmnop', show: shown(payload), fields: [{ value: 'hunter2' }] }
  rows.executed(at('ask'), trace(request))
  rows.asked(at('ask'), request as never)
  rows.collect(told({ kind: 'node', path: '', nodeId: 'ask', status: 'waiting' }))
  const { asked, nodeRuns } = rows.take(state)
  const kept = { ...payload, pin: '[redacted]', list: ['[redacted]', 'It is hunter2'] }
  expect(asked).toEqual([{ path: '', nodeId: 'ask', request: { ...request, show: shown(kept) } }])
  expect(nodeRuns).toMatchObject([{ status: 'waiting', input: { title: 'Bearer [redacted]' } }])
  expect(rows.take(state).asked).toEqual([])
})

test('a buffer is due with 4 MB of inputs and outputs, with 5,000 rows, or after 250 ms', () => {
  const MB = 1024 * 1024
  const full = (fill: (rows: RunBuffer) => void) => {
    const rows = buffer()
    fill(rows)
    const { isDue } = rows
    rows.take(state)
    return [isDue, rows.isDue]
  }
  expect(full((rows) => rows.collect(told(completed('a', 'a', 4 * MB - 1))))).toEqual([false, false])
  expect(full((rows) => rows.collect(told(completed('a', 'a', 4 * MB))))).toEqual([true, false])
  const text = (length: number) => 'ü'.repeat(length)
  expect(full((rows) => rows.opened(at('loop'), { mode: 'list', items: [text(2 * MB)] }))).toEqual([
    true,
    false,
  ])
  const iterations = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      ...{ kind: 'iteration', path: '', nodeId: 'loop' },
      ...{ index, output: index, bytes: 1 },
    }))
  expect(full((rows) => rows.collect(told(...iterations(4_999))))).toEqual([false, false])
  expect(full((rows) => rows.collect(told(...iterations(5_000))))).toEqual([true, false])
  let now = 1_000
  const rows = buffer(() => now)
  now += 250
  expect(rows.isDue).toBe(false)
  now += 1
  expect(rows.isDue).toBe(true)
})

test('a completed Loop is stored without its output, which consists of its iterations, and with its input as trace', () => {
  const rows = buffer()
  rows.opened(at('loop'), { mode: 'list', items: ['hunter2'] })
  rows.collect(told(completed('loop', [1], 0)))
  const row = { nodeId: 'loop', status: 'completed', output: null }
  expect(rows.take(state).nodeRuns).toMatchObject([{ ...row, input: { items: ['[redacted]'] } }])
  rows.collect(told(completed('loop', [], 0), completed('list', [1], 3)))
  expect(rows.take(state).nodeRuns.map(({ output }) => output)).toEqual([[], [1]])
})
