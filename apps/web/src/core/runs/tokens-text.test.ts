import { NODE_DEFINITIONS } from '@troupe/nodes/definitions'
import { expect, test } from 'vitest'
import { MODEL_NODES } from '../nodes/node-types.ts'
import { tokensOfRun, tokensText } from './tokens-text.ts'

const run = { kind: 'agent', status: 'cancelled', startedAt: 1, inputTokens: 0, outputTokens: 0 } as const
const workflow = { ...run, kind: 'workflow' } as const
const stopped = { errorCode: 'aborted', hasAllTokens: false }
const UNKNOWN = 'Not known: the provider reported none'

function textOf(counted: Parameters<typeof tokensOfRun>[0]): string | null {
  const tokens = tokensOfRun(counted)
  return tokens && tokensText(tokens)
}

test('a run that was stopped has no 0 where the provider reported nothing', () => {
  expect(textOf(run)).toBe(UNKNOWN)
  const agentRun = { isSettled: true, calls: [stopped] }
  expect(textOf({ ...run, agentRun })).toBe(UNKNOWN)
  expect(textOf({ ...run, inputTokens: 12, agentRun })).toBe(
    'At least 12 in, 0 out: not every call reported them',
  )
})

test('a run that was stopped has no 0 either until its last call is stored', () => {
  const agentRun = { isSettled: false, calls: [] }
  expect(textOf({ ...run, agentRun })).toBe(UNKNOWN)
  expect(textOf({ ...run, startedAt: null, agentRun })).toBe('0 in, 0 out')
  expect(textOf({ ...run, status: 'running', agentRun })).toBe('0 in, 0 out')
})

test('a run that was canceled before it called a model used none', () => {
  expect(textOf({ ...run, agentRun: { isSettled: true, calls: [] } })).toBe('0 in, 0 out')
  expect(textOf({ ...run, startedAt: null })).toBe('0 in, 0 out')
})

test('of a workflow that was canceled, a step that called a model then has reported nothing', () => {
  const during = (type: string, status: 'running' | 'completed' = 'running') =>
    textOf({ ...workflow, workflowRun: { nodes: [{ type, status }] } })
  expect(during('ai-agent')).toBe(UNKNOWN)
  expect(during('http-request')).toBe('0 in, 0 out')
  expect(during('ai-agent', 'completed')).toBe('0 in, 0 out')
  // Without a loaded trace, the steps of a run in a list are unknown.
  expect(textOf(workflow)).toBeNull()
  expect(textOf({ ...workflow, status: 'completed' })).toBe('0 in, 0 out')
})

test('the nodes that call models are exactly those in the group AI', () => {
  const ofGroup = NODE_DEFINITIONS.filter(({ group }) => group === 'ai').map(({ type }) => type)
  expect([...MODEL_NODES].sort()).toEqual(ofGroup.sort())
})

test('a call that failed took nothing that its run does not count', () => {
  const failed = { errorCode: 'http_500', hasAllTokens: false }
  const agentRun = { isSettled: true, calls: [failed] }
  const ended = { ...run, status: 'completed', inputTokens: 12, outputTokens: 3, agentRun } as const
  expect(textOf(ended)).toBe('12 in, 3 out')
  expect(textOf({ ...ended, inputTokens: null })).toBeNull()
})
