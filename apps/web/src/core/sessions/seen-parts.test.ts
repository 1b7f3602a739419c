import type { SessionDetail } from '@troupe/contract/builder'
import { expect, test } from 'vitest'
import { memoriesByTurn, seenParts } from './seen-parts.ts'

type Turn = SessionDetail['turns'][number]

const START = 1_800_000_000
const iso = (seconds: number) => new Date(seconds * 1_000).toISOString()
const turn = (seq: number, status: Turn['run']['status'] = 'completed'): Turn => ({
  ...{ seq, input: `question ${seq}`, content: `answer ${seq}` },
  run: {
    ...{ runId: `r${seq}`, kind: 'agent', isTest: false, entity: { id: 'a', name: 'A' }, projectId: null },
    ...{ versionId: 'v', versionNumber: 1, source: 'api_sync', status, statusReason: null, success: true },
    ...{ error: null, createdAt: START + seq * 100, startedAt: null, completedAt: START + seq * 100 + 5 },
    ...{ durationMs: 5_000, inputTokens: 1, outputTokens: 1, costUsd: null, startedBy: null, sessionId: 's' },
    ...{ sessionRowId: 's', userId: 'u', tag: null, workflowRunId: null },
  },
})
const TURNS = [turn(4), turn(3), turn(2), turn(1)]
const ALL = { enabled: true, maxRuns: null }
const kinds = (seq: number, ...rest: [SessionDetail['summary'], Parameters<typeof seenParts>[3]]) =>
  seenParts(seq, TURNS, ...rest).parts.map((part) => (part.kind === 'turn' ? part.turn.seq : part.kind))

test('without a summary, every turn before it and the message', () => {
  expect(kinds(3, null, ALL)).toEqual([1, 2, 'message'])
})

test('a summary that existed replaces the turns that it covers', () => {
  const summary = { text: 'So far …', coversSeq: 2, createdAt: iso(START + 350) }
  expect(kinds(4, summary, ALL)).toEqual(['summary', 3, 'message'])
  // Turn 3 ran before the summary was written.
  expect(kinds(3, summary, ALL)).toEqual([1, 2, 'message'])
})

test('a limit of turns, and no history at all', () => {
  expect(kinds(4, null, { enabled: true, maxRuns: 1 })).toEqual([3, 'message'])
  expect(kinds(4, null, { enabled: false, maxRuns: null })).toEqual(['message'])
})

test('a failed run left nothing to read', () => {
  const turns = [turn(1), turn(2, 'failed'), turn(3)]
  expect(seenParts(3, turns, null, ALL).parts).toHaveLength(2)
})

test('it reports older turns of the prompt that are not loaded', () => {
  expect(seenParts(4, [turn(4), turn(3)], null, ALL).isComplete).toBe(false)
  expect(seenParts(4, [turn(4), turn(3)], null, { enabled: true, maxRuns: 1 }).isComplete).toBe(true)
})

test('a memory belongs to the turn that it came from', () => {
  const memories = [
    { text: 'likes tea', createdAt: iso(START + 206) },
    { text: 'by hand', createdAt: iso(START + 99_999) },
  ]
  const found = memoriesByTurn(TURNS, memories)
  expect([...found.keys()]).toEqual([2])
})
