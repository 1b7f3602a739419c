import type { RunState } from '@troupe/graph'
import { expect, test } from 'vitest'
import type { ClaimedWorkflowRun } from '../ports/workflow-store.ts'
import { RunBuffer } from './run-buffer.ts'

const run = { variables: {}, nodeRuns: [], iterations: [] } as unknown as ClaimedWorkflowRun
const state = { variables: new Map() } as unknown as RunState
const at = (nodeId: string) => ({ path: '', nodeId, iteration: null })
const trace = (input: unknown) => ({ input, agentRunId: null, inputTokens: 1, outputTokens: 2 })
const buffer = () => new RunBuffer(run, () => 1_000, { names: new Set(['pin']), values: ['hunter2'] })

test('rows that start an effect are apart from the others, and only until they are taken', () => {
  const rows = buffer()
  rows.opened(at('loop'), { mode: 'count', count: 2 } as never)
  rows.started(at('agent'))
  const first = rows.take(state)
  expect(first.nodeRuns.map(({ nodeId, status }) => [nodeId, status])).toEqual([['loop', 'running']])
  expect(first.starting.map(({ nodeId, attempt }) => [nodeId, attempt])).toEqual([['agent', 1]])
  rows.postponed(at('agent'), 1, 2_000)
  const second = rows.take(state)
  expect([second.nodeRuns.map(({ nodeId }) => nodeId), second.starting]).toEqual([['agent'], []])
})

test('the input of a node rests without secrets and within 64 K characters; what a Loop repeats over stays as it is', () => {
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
