import type { StreamEvent } from '@troupe/contract'
import { reduceRun } from '../runs/reduce-run.ts'
import { answerOf, NEW_RUN, type RunView } from '../runs/run-view.ts'
import { type Subject, subjectKey } from './subject.ts'

/** The reason why a run could not be started, or its stream not be read to the end. */
export interface TurnFailure {
  code: string
  message: string
  errors: readonly { path: string; message: string }[]
  requestId: string | null
  retryAfterSeconds: number | null
}

/** The executed content: a draft is a draft, a version has its number. */
export interface PlayedVersion {
  subject: Subject
  /** null: not known yet, or a draft. */
  versionNumber: number | null
}

/** One message and its outcome. */
export interface PlaygroundTurn {
  key: string
  /** The column it belongs to, from 0. */
  column: number
  /** The same for all concurrently asked columns. */
  round: string
  /** Orders the turns: those of an earlier visit are below 0, the newest of them at -1. */
  place: number
  message: string
  played: PlayedVersion
  run: RunView
  /** `sending`: no run yet; `streaming`: its events arrive; `settled`: nothing more is read. */
  phase: 'sending' | 'streaming' | 'settled'
  failure: TurnFailure | null
  /** From an earlier visit, with only its outcome: the steps are loaded when it is viewed. */
  isBare: boolean
  /** Milliseconds of this page's clock; null: the run was started before the page was opened. */
  sentMs: number | null
  /** Milliseconds from sending to the first text. */
  firstTextMs: number | null
  /** Milliseconds from sending to the end. */
  tookMs: number | null
  /** The user requested a stop. */
  isStopping: boolean
}

export function newTurn(
  given: Pick<PlaygroundTurn, 'key' | 'column' | 'round' | 'place' | 'message' | 'played' | 'sentMs'>,
): PlaygroundTurn {
  return {
    ...given,
    run: NEW_RUN,
    phase: 'sending',
    failure: null,
    isBare: false,
    firstTextMs: null,
    tookMs: null,
    isStopping: false,
  }
}

/** The turn after one more event of its run. `nowMs`: the clock that `sentMs` was taken from. */
export function turnAfter(turn: PlaygroundTurn, event: StreamEvent, nowMs: number): PlaygroundTurn {
  const run = reduceRun(turn.run, event)
  if (run === turn.run) return turn
  const isFirst = turn.firstTextMs === null && turn.sentMs !== null && answerOf(run) !== ''
  return {
    ...turn,
    run,
    phase: run.end === null ? 'streaming' : 'settled',
    ...(run.end !== null && turn.sentMs !== null ? { tookMs: nowMs - turn.sentMs } : {}),
    ...(isFirst && turn.sentMs !== null ? { firstTextMs: nowMs - turn.sentMs } : {}),
  }
}

/** Changes the turn with the key; the others are unchanged. */
export function withTurn(
  turns: readonly PlaygroundTurn[],
  key: string,
  change: (turn: PlaygroundTurn) => PlaygroundTurn,
): readonly PlaygroundTurn[] {
  return turns.map((turn) => (turn.key === key ? change(turn) : turn))
}

/** The turns with one more, in their order. */
export function withAdded(
  turns: readonly PlaygroundTurn[],
  added: PlaygroundTurn,
): readonly PlaygroundTurn[] {
  const index = turns.findLastIndex(({ place }) => place <= added.place) + 1
  return turns.toSpliced(index, 0, added)
}

/** The turns of a column, oldest first. */
export function turnsOf(turns: readonly PlaygroundTurn[], column: number): readonly PlaygroundTurn[] {
  return turns.filter((turn) => turn.column === column)
}

/** One message with the turn of each column. */
export interface PlaygroundRound {
  key: string
  message: string
  turns: readonly PlaygroundTurn[]
  /** Keys of turns whose column had another subject before: its conversation has answers of both. */
  switched: readonly string[]
}

/** The turns by message, oldest first. */
export function roundsOf(turns: readonly PlaygroundTurn[]): PlaygroundRound[] {
  const rounds = new Map<
    string,
    { key: string; message: string; turns: PlaygroundTurn[]; switched: string[] }
  >()
  const before = new Map<number, PlayedVersion>()
  for (const turn of turns) {
    const { key, round, message, column, played } = turn
    const own = rounds.get(round) ?? { key: round, message, turns: [], switched: [] }
    rounds.set(round, own)
    own.turns.push(turn)
    const former = before.get(column)
    if (former && !isSamePlayed(former, played)) own.switched.push(key)
    before.set(column, played)
  }
  return [...rounds.values()]
}

/** Whether two rounds render identically. */
export function isSameRound(a: PlaygroundRound, b: PlaygroundRound): boolean {
  return (
    a.key === b.key &&
    a.turns.length === b.turns.length &&
    a.turns.every((turn, index) => turn === b.turns[index]) &&
    a.switched.join() === b.switched.join()
  )
}

/** The conversation that a column continues; null: its next message starts a new one. */
export function sessionOf(turns: readonly PlaygroundTurn[], column: number): string | null {
  return turnsOf(turns, column).findLast(({ run }) => run.sessionId !== null)?.run.sessionId ?? null
}

/** The live content and its version are the same. */
function isSamePlayed(a: PlayedVersion, b: PlayedVersion): boolean {
  if (a.versionNumber !== null || b.versionNumber !== null) return a.versionNumber === b.versionNumber
  return subjectKey(a.subject) === subjectKey(b.subject)
}
