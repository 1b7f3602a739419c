import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { playgroundWords as words } from '../../../core/messages/en/parts/playground.ts'
import type { PlaygroundLayout } from '../../../core/playground/columns-after.ts'
import {
  newTurn,
  type PlayedVersion,
  type PlaygroundTurn,
  sessionOf,
  turnAfter,
  turnsOf,
  withAdded,
  withTurn,
} from '../../../core/playground/turns.ts'
import { asCallFailure, CallFailure } from '../../../infrastructure/client/call-failure.ts'
import {
  followRunStream,
  type OpenedRun,
  startRunStream,
} from '../../../infrastructure/streams/run-stream.ts'
import { FrameState } from '../../../infrastructure/streams/use-frame-state.ts'
import { StoredTurns } from './stored-turns.ts'
import { turnFailure } from './turn-failure.ts'

/** What a message is sent to. */
export interface PlayTarget {
  column: number
  played: PlayedVersion
  /** The part of the request's body that says what runs, and for whom. */
  body: object
}

/** What is painted of the conversations. */
export interface ShownConversations {
  turns: readonly PlaygroundTurn[]
  /** Columns whose conversation of an earlier visit is on its way. */
  restoring: readonly number[]
}

/** How the page follows the conversations; it is given anew with every drawing. */
export interface DeskListeners {
  /** A column has another last run; null: it is empty. */
  onRun(column: number, runId: string | null): void
  onColumnGone(column: number): void
  /** A run has taken the message; a composer that is gone would offer it again. */
  onTaken(message: string): void
}

/** Whose conversations they are. */
export interface DeskOf {
  organizationId: string
  kind: 'agent' | 'team'
  id: string
  /** The last run of each column of an earlier visit, from the address; '' for none. */
  runs: readonly string[]
}

const OPERATIONS = {
  agent: { start: 'playAgent', resume: 'resumeAgentPlayground' },
  team: { start: 'playTeam', resume: 'resumeTeamPlayground' },
} as const

const NOTHING: ShownConversations = { turns: [], restoring: [] }

/**
 * The conversations of a playground, one in each column: sends messages, reads the streams of their runs and paints them once a
 * frame. It belongs to the page, not to its tab: a run goes on to be read while another tab is looked at.
 */
export class ConversationDesk {
  readonly shown: FrameState<ShownConversations>
  listeners: DeskListeners = { onRun: () => {}, onColumnGone: () => {}, onTaken: () => {} }
  /** What is typed of the caller; `context` is null until somebody types. */
  caller: { context: string | null; userId: string } = { context: null, userId: '' }
  /** As it was drawn last. */
  layout: PlaygroundLayout | null = null
  readonly #of: DeskOf
  readonly #stored: StoredTurns
  #newest = NOTHING
  #isOpened = false
  #isClosed = false
  #lastKey = 0
  readonly #closing = new Map<string, () => void>()
  /** The column of each turn now: a column before it may have been taken away. */
  readonly #columns = new Map<string, number>()
  /** The column of each conversation that is on its way; absent: it is not wanted any more. */
  readonly #restoring = new Map<string, number>()
  /** Turns that were taken off the page before their run had an id. */
  readonly #dropped = new Set<string>()
  /** Runs that were asked to stop before they had an id. */
  readonly #unwanted = new Set<string>()

  constructor(of: DeskOf) {
    this.#of = of
    this.#stored = new StoredTurns(of)
    const restoring = of.runs.flatMap((runId, column) => (runId === '' ? [] : [column]))
    this.shown = new FrameState<ShownConversations>({ turns: [], restoring })
  }

  isFor({ organizationId, kind, id }: Omit<DeskOf, 'runs'>): boolean {
    const of = this.#of
    return of.organizationId === organizationId && of.kind === kind && of.id === id
  }

  /** Shows the conversations of an earlier visit again; once. */
  open(): void {
    if (this.#isOpened) return
    this.#isOpened = true
    this.#of.runs.forEach((runId, column) => {
      if (runId !== '') void this.#restore(column, runId)
    })
  }

  /** Asks every target; each goes on with its own conversation, unless all begin anew. */
  readonly send = (message: string, targets: readonly PlayTarget[], isNew = false): void => {
    const { kind, id, organizationId } = this.#of
    const { start, resume } = OPERATIONS[kind]
    if (isNew) this.clear()
    const place = this.#nextKey()
    for (const { column, played, body } of targets) {
      const session = isNew ? null : sessionOf(this.#newest.turns, column)
      const round = `round-${place}`
      const fresh = newTurn({ key: '', round, place, column, message, played, sentMs: performance.now() })
      const request = { ...body, message, ...(session === null ? {} : { session_id: session }) }
      const ids = [organizationId, id] as const
      void this.#read(this.#add(fresh), startRunStream({ start, resume, ids, body: request }))
    }
  }

  readonly stop = ({ key, run }: PlaygroundTurn): void => {
    this.#change(key, (one) => ({ ...one, isStopping: true }))
    if (run.runId === null) this.#unwanted.add(key)
    else void this.#stopRun(key, run.runId)
  }

  /** Reads a run on whose connection was lost. */
  readonly readOn = (turn: PlaygroundTurn): void => {
    const { runId, lastSeq } = turn.run
    if (runId === null) return
    this.#change(turn.key, (one) => ({ ...one, failure: null, phase: 'streaming' }))
    void this.#read(turn, this.#follow(runId, lastSeq))
  }

  /** Empties all columns, or one; runs that are under way go on without being read. */
  readonly clear = (column?: number): void => {
    const { turns } = this.#newest
    const cleared = column === undefined ? turns : turnsOf(turns, column)
    for (const { key, phase } of cleared) {
      const close = this.#closing.get(key)
      if (close) close()
      else if (phase !== 'settled') this.#dropped.add(key)
      this.#columns.delete(key)
    }
    for (const [key, one] of this.#restoring) {
      if (column === undefined || one === column) this.#restoring.delete(key)
    }
    const keys = new Set(cleared.map(({ key }) => key))
    this.#paint((all) => all.filter(({ key }) => !keys.has(key)))
    for (const one of new Set(cleared.map((turn) => turn.column))) this.listeners.onRun(one, null)
  }

  /** Takes a column away; those behind it move up. */
  readonly removeColumn = (column: number): void => {
    this.clear(column)
    for (const places of [this.#columns, this.#restoring]) {
      for (const [key, one] of places) if (one > column) places.set(key, one - 1)
    }
    this.#paint((all) =>
      all.map((turn) => (turn.column > column ? { ...turn, column: turn.column - 1 } : turn)),
    )
    this.listeners.onColumnGone(column)
  }

  /** The page is left: nothing is read or painted any more. */
  close(): void {
    this.#isClosed = true
    for (const close of this.#closing.values()) close()
    this.shown.stop()
  }

  async #read(turn: PlaygroundTurn, opening: Promise<OpenedRun>): Promise<void> {
    const { key } = turn
    const opened = await opening
    if (opened.ok) this.listeners.onTaken(turn.message)
    const isDropped = this.#dropped.delete(key)
    if (this.#isClosed || isDropped) return opened.ok ? opened.data.close() : undefined
    if (!opened.ok) {
      this.#change(key, (one) => ({
        ...one,
        phase: 'settled',
        failure: turnFailure(opened),
        isStopping: false,
      }))
      return
    }
    const stream = opened.data
    this.#closing.set(key, stream.close)
    this.#change(key, (one) => ({ ...one, phase: 'streaming', run: { ...one.run, runId: stream.runId } }))
    this.listeners.onRun(this.#columns.get(key) ?? turn.column, stream.runId)
    if (this.#unwanted.delete(key)) void this.#stopRun(key, stream.runId)
    try {
      for await (const event of stream) this.#change(key, (one) => turnAfter(one, event, performance.now()))
      this.#change(key, (one) => ({ ...one, phase: 'settled', isStopping: false }))
    } catch (error) {
      const failure = turnFailure(error)
      this.#change(key, (one) => ({ ...one, phase: 'settled', failure, isStopping: false }))
    } finally {
      this.#closing.delete(key)
    }
  }

  async #restore(column: number, runId: string): Promise<void> {
    // What was said meanwhile is not mixed with what was said before.
    if (turnsOf(this.#newest.turns, column).length > 0) return
    const key = `restore-${this.#nextKey()}`
    this.#restoring.set(key, column)
    this.#paint((all) => all)
    const found = await this.#stored.conversationOf(runId).catch(asCallFailure)
    const place = this.#restoring.get(key)
    this.#restoring.delete(key)
    if (this.#isClosed || place === undefined) return
    this.#paint((all) => all)
    if (found instanceof CallFailure && found.code !== 'run_not_found') {
      const again = { label: words.retry, run: () => void this.#restore(place, runId) }
      showNotice({ title: words.notRestored, detail: found.message, tone: 'bad', action: again })
      return
    }
    if (found === null || found instanceof CallFailure) return this.listeners.onRun(place, null)
    for (const turn of found.earlier) this.#add({ ...turn, column: place })
    const last = this.#add({ ...found.last, column: place })
    const opened = await this.#follow(runId)
    // Events are kept for a time; the outcome is kept longer.
    if (opened.ok || found.ended === null) await this.#read(last, Promise.resolve(opened))
    else this.#change(last.key, (one) => ({ ...one, run: found.ended ?? one.run, phase: 'settled' }))
  }

  async #stopRun(key: string, runId: string): Promise<void> {
    const failure = await this.#stored.cancel(runId)
    if (failure === null) return
    showNotice({ title: words.stopFailed, detail: failure.message, tone: 'bad' })
    this.#change(key, (one) => ({ ...one, isStopping: false }))
  }

  #follow(runId: string, startAfter?: number): Promise<OpenedRun> {
    const { kind, id, organizationId } = this.#of
    const ids = [organizationId, id, runId] as const
    return followRunStream(OPERATIONS[kind].resume, ids, startAfter === undefined ? {} : { startAfter })
  }

  #add(turn: Omit<PlaygroundTurn, 'key'>): PlaygroundTurn {
    const added = { ...turn, key: `turn-${this.#nextKey()}` }
    this.#columns.set(added.key, added.column)
    this.#paint((all) => withAdded(all, added))
    return added
  }

  #change(key: string, how: (turn: PlaygroundTurn) => PlaygroundTurn): void {
    this.#paint((all) => withTurn(all, key, how))
  }

  #paint(reduce: (turns: readonly PlaygroundTurn[]) => readonly PlaygroundTurn[]): void {
    this.#newest = { turns: reduce(this.#newest.turns), restoring: [...this.#restoring.values()] }
    const newest = this.#newest
    this.shown.update(() => newest)
  }

  #nextKey(): number {
    this.#lastKey += 1
    return this.#lastKey
  }
}
