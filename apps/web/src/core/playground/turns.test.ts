import type { StreamEvent } from '@troupe/contract'
import { expect, test } from 'vitest'
import {
  isSameRound,
  newTurn,
  type PlaygroundTurn,
  roundsOf,
  sessionOf,
  turnAfter,
  withAdded,
} from './turns.ts'

const RUN = '11111111-1111-4111-8111-111111111111'
const source = { role: 'agent', agentId: RUN, agentName: 'Desk', runId: RUN } as const
const envelope = { runId: RUN, createdAt: 1 }
const started: StreamEvent = {
  ...envelope,
  event: 'RunStarted',
  seq: 1,
  kind: 'agent',
  agentId: RUN,
  agentName: 'Desk',
  sessionId: 's1',
  userId: 'u1',
}
const text: StreamEvent = {
  ...envelope,
  event: 'RunContent',
  seq: 2,
  source,
  messageId: 'm1',
  channel: 'answer',
  delta: 'Hi',
}
const failed: StreamEvent = {
  ...envelope,
  event: 'RunError',
  seq: 3,
  error: 'upstream_error',
  message: 'No.',
}

const turn = (column: number, round: string, facts: Partial<PlaygroundTurn> = {}): PlaygroundTurn => ({
  ...newTurn({
    key: `${round}/${column}`,
    column,
    round,
    place: 0,
    message: round,
    played: { subject: { kind: 'live' }, versionNumber: 3 },
    sentMs: 1_000,
  }),
  ...facts,
})

test('the time to the first text ignores later text', () => {
  let state = turnAfter(turn(0, 'a'), started, 1_100)
  expect([state.phase, state.firstTextMs]).toEqual(['streaming', null])
  state = turnAfter(state, text, 1_250)
  state = turnAfter(state, { ...text, seq: 3 }, 1_900)
  expect(state.firstTextMs).toBe(250)
})

test('a run that was started before the page was opened has no time to the first text', () => {
  expect(turnAfter(turn(0, 'a', { sentMs: null }), text, 9_000).firstTextMs).toBeNull()
})

test('the end settles a turn, and an event that is there already changes nothing', () => {
  const state = [started, text, failed].reduce((one, event) => turnAfter(one, event, 2_000), turn(0, 'a'))
  expect(state.phase).toBe('settled')
  expect(turnAfter(state, text, 3_000)).toBe(state)
})

test('columns with the same message are one round, and each continues its own session', () => {
  const [first, second] = [turn(0, 'a'), turn(1, 'a')]
  const turns = [turnAfter(first, started, 1), second, turn(0, 'b')]
  expect(roundsOf(turns).map(({ message, turns: own }) => [message, own.length])).toEqual([
    ['a', 2],
    ['b', 1],
  ])
  expect([sessionOf(turns, 0), sessionOf(turns, 1)]).toEqual(['s1', null])
})

test('another version in one conversation is marked, the same one under another name is not', () => {
  const version = { subject: { kind: 'version', versionId: RUN }, versionNumber: 3 } as const
  const draft = { subject: { kind: 'draft' }, versionNumber: null } as const
  const turns = [turn(0, 'a', { played: version }), turn(0, 'b'), turn(0, 'c', { played: draft })]
  expect(roundsOf(turns).map(({ switched }) => switched)).toEqual([[], [], ['c/0']])
})

test('earlier turns are above the current ones, and beside the same message only', () => {
  const add = (all: readonly PlaygroundTurn[], column: number, place: number, message: string) =>
    withAdded(all, { ...turn(column, `${place} ${message}`), place, message })
  let turns = add([], 0, 1, 'new')
  turns = add(turns, 0, -2, 'older')
  turns = add(turns, 0, -1, 'both')
  turns = add(turns, 1, -1, 'both')
  turns = add(turns, 2, -1, 'other')
  expect(
    roundsOf(turns).map(({ message, turns: own }) => [message, own.map(({ column }) => column)]),
  ).toEqual([
    ['older', [0]],
    ['both', [0, 1]],
    ['other', [2]],
    ['new', [0]],
  ])
})

test('a round is rerendered if one of its turns has changed, and otherwise not', () => {
  const [first, second] = [turn(0, 'a'), turn(0, 'b')]
  const rounds = roundsOf([first, second])
  const later = roundsOf([first, turnAfter(second, started, 1)])
  expect(rounds.map((round, index) => isSameRound(round, later[index] ?? round))).toEqual([true, false])
})
