import type { IdText, OrganizationId, RunId } from '@troupe/contract'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { playgroundWords as words } from '../../../core/messages/en/parts/playground.ts'
import type { PlaygroundLayout } from '../../../core/playground/columns-after.ts'
import { MOST_COLUMNS } from '../../../core/playground/subject.ts'
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
import { reduceRun } from '../../../core/runs/reduce-run.ts'
import { NEW_RUN, type RunView } from '../../../core/runs/run-view.ts'
import { asCallFailure, CallFailure } from '../../../infrastructure/client/call-failure.ts'
import {
  followRunStream,
  type OpenedRun,
  startRunStream,
} from '../../../infrastructure/streams/run-stream.ts'
import { FrameState } from '../../../infrastructure/streams/use-frame-state.ts'
import { StoredTurns } from './stored-turns.ts'
import { turnFailure } from './turn-failure.ts'

/** The target of a message. */
export interface PlayTarget {
  column: number
  played: PlayedVersion
  /** The part of the request's body that selects the content and the user. */
  body: object
}

/** The rendered state of the conversations. */
export interface ShownConversations {
  turns: readonly PlaygroundTurn[]
  /** Columns whose conversation of an earlier visit is loading. */
  restoring: readonly number[]
}

/** The page's callbacks for the conversations; replaced on every render. */
export interface DeskListeners {
  /** The last run of some column has changed; '' for a column without one. */
  onRuns(runs: readonly string[]): void
  /** A run has accepted the message; an unmounted composer would restore it. */
  onTaken(message: string): void
}

/** The owner of the conversations. */
export interface DeskOf {
  organizationId: IdText<OrganizationId>
  kind: 'agent' | 'team'
  id: string
  /** The last run of each column of an earlier visit, from the address; '' for none. */
  runs: readonly string[]
}

/** A conversation of an earlier visit that is not rendered yet. */
interface Restoring {
  column: number
  runId: IdText<RunId>
  /** Loading failed; the user may retry. */
  hasFailed: boolean
}

const OPERATIONS = {
  agent: { start: 'playAgent', resume: 'resumeAgentPlayground' },
  team: { start: 'playTeam', resume: 'resumeTeamPlayground' },
} as const

const NOTHING: ShownConversations = { turns: [], restoring: [] }

/**
 * The conversations of a playground, one per column: sends messages, reads the streams of their runs and renders them once per frame. It
 * belongs to the page, not to its tab: a run is read even while another tab is open.
 */
export class ConversationDesk {
  readonly shown: FrameState<ShownConversations>
  listeners: DeskListeners = { onRuns: () => {}, onTaken: () => {} }
  /** The caller fields; `context` is null until it is edited. */
  caller: { context: string | null; userId: string } = { context: null, userId: '' }
  /** The last rendered layout. */
  layout: PlaygroundLayout | null = null
  readonly #of: DeskOf
  readonly #stored: StoredTurns
  #newest = NOTHING
  #isOpened = false
  #isClosed = false
  #lastKey = 0
  readonly #closing = new Map<string, () => void>()
  /** Conversations of an earlier visit that are not rendered yet; unneeded ones are removed. */
  readonly #restoring = new Map<string, Restoring>()
  /** The last run of each column, as last reported. */
  #told: string
  /** Turns that were removed from the page before their run had an id. */
  readonly #dropped = new Set<string>()
  /** Runs stopped before they had an id. */
  readonly #unwanted = new Set<string>()

  constructor(of: DeskOf) {
    this.#of = of
    this.#stored = new StoredTurns(of)
    of.runs.forEach((runId, column) => {
      if (runId !== '') this.#restoring.set(`restored-${column}`, { column, runId, hasFailed: false })
    })
    this.#told = this.runs.join()
    this.#newest = { turns: [], restoring: this.#restoringColumns() }
    this.shown = new FrameState(this.#newest)
  }

  /** The last run of each column; '' for a column without one. */
  get runs(): readonly string[] {
    const runs: string[] = []
    for (const { column, runId } of this.#restoring.values()) runs[column] = runId
    for (const { column, run } of this.#newest.turns) if (run.runId !== null) runs[column] = run.runId
    return Array.from(runs, (runId) => runId ?? '')
  }

  isFor({ organizationId, kind, id }: Omit<DeskOf, 'runs'>): boolean {
    const of = this.#of
    return of.organizationId === organizationId && of.kind === kind && of.id === id
  }

  /** Restores the conversations of an earlier visit, once. */
  open(): void {
    if (this.#isOpened) return
    this.#isOpened = true
    for (const key of this.#restoring.keys()) void this.#restore(key)
  }

  /** Sends to every target; each continues its own conversation, unless all restart. */
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

  /** Resumes reading a run whose connection was lost. */
  readonly readOn = (turn: PlaygroundTurn): void => {
    const { runId, lastSeq } = turn.run
    if (runId === null) return
    this.#change(turn.key, (one) => ({ ...one, failure: null, phase: 'streaming' }))
    void this.#read(turn, this.#follow(runId, lastSeq))
  }

  /** Reads the steps of an answer of an earlier visit. Those of an old run may be deleted: then only its outcome is shown. */
  readonly readSteps = async ({ key, isBare, run: { runId } }: PlaygroundTurn): Promise<void> => {
    if (!isBare || runId === null) return
    this.#change(key, (one) => ({ ...one, isBare: false }))
    const opened = await this.#follow(runId)
    if (!opened.ok) return
    const stream = opened.data
    if (this.#isClosed) return stream.close()
    this.#closing.set(key, stream.close)
    let run: RunView = { ...NEW_RUN, runId }
    try {
      for await (const event of stream) run = reduceRun(run, event)
    } catch {
      return
    } finally {
      this.#closing.delete(key)
    }
    if (run.end !== null) this.#change(key, (one) => ({ ...one, run }))
  }

  /** Empties all columns; runs in progress continue without being read. */
  readonly clear = (): void => this.arrange([])

  /** Removes a column; later ones move up. */
  readonly removeColumn = (column: number): void =>
    this.arrange(Array.from({ length: MOST_COLUMNS }, (_, one) => one).filter((one) => one !== column))

  /**
   * Shows other columns. Runs of hidden conversations continue without being read.
   *
   * @param former for each column, the previous index of its conversation; -1: a different one
   * @param runs the last run of that other conversation; '' or absent: it starts now
   */
  readonly arrange = (former: readonly number[], runs: readonly string[] = []): void => {
    for (const { key, phase, column } of this.#newest.turns) {
      if (former.includes(column)) continue
      const close = this.#closing.get(key)
      if (close) close()
      else if (phase !== 'settled') this.#dropped.add(key)
    }
    for (const [key, restoring] of this.#restoring) {
      const column = former.indexOf(restoring.column)
      if (column === -1) this.#restoring.delete(key)
      else this.#restoring.set(key, { ...restoring, column })
    }
    this.#paint((all) =>
      all.flatMap((turn) => {
        const column = former.indexOf(turn.column)
        return column === -1 ? [] : [column === turn.column ? turn : { ...turn, column }]
      }),
    )
    const wanted = former.flatMap((place, column) => {
      const runId = runs[column] ?? ''
      if (place !== -1 || runId === '') return []
      const key = `restore-${this.#nextKey()}`
      this.#restoring.set(key, { column, runId, hasFailed: false })
      return [key]
    })
    for (const key of wanted) void this.#restore(key)
    this.#tell()
  }

  /** The page is closed: reading and rendering stop. */
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
    // Even without a reader: a stopped run must not cost anything.
    if (this.#unwanted.delete(key) && opened.ok) void this.#stopRun(key, opened.data.runId)
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
    this.#tell()
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

  async #restore(key: string): Promise<void> {
    const wanted = this.#restoring.get(key)
    if (!wanted) return
    this.#setRestoring(key, { ...wanted, hasFailed: false })
    const found = await this.#stored.conversationOf(wanted.runId).catch(asCallFailure)
    // It may be in another column in the meantime.
    const restoring = this.#restoring.get(key)
    if (this.#isClosed || !restoring) return
    if (found instanceof CallFailure && found.code !== 'run_not_found') {
      this.#setRestoring(key, { ...restoring, hasFailed: true })
      const again = { label: words.retry, run: () => void this.#restore(key) }
      showNotice({ title: words.notRestored, detail: found.message, tone: 'bad', action: again })
      return
    }
    this.#setRestoring(key, null)
    const { column, runId } = restoring
    // Later messages are not mixed with earlier ones.
    const isTaken = turnsOf(this.#newest.turns, column).length > 0
    if (found === null || found instanceof CallFailure || isTaken) return this.#tell()
    for (const turn of found.earlier) this.#add({ ...turn, column })
    const last = this.#add({ ...found.last, column })
    const opened = await this.#follow(runId)
    // Events are kept for a time; the outcome is kept longer.
    if (opened.ok || found.ended === null) await this.#read(last, Promise.resolve(opened))
    else this.#change(last.key, (one) => ({ ...one, run: found.ended ?? one.run, phase: 'settled' }))
  }

  #setRestoring(key: string, restoring: Restoring | null): void {
    if (restoring === null) this.#restoring.delete(key)
    else this.#restoring.set(key, restoring)
    this.#paint((all) => all)
  }

  #restoringColumns(): number[] {
    return [...this.#restoring.values()].flatMap(({ column, hasFailed }) => (hasFailed ? [] : [column]))
  }

  #tell(): void {
    const { runs } = this
    if (this.#isClosed || runs.join() === this.#told) return
    this.#told = runs.join()
    this.listeners.onRuns(runs)
  }

  async #stopRun(key: string, runId: IdText<RunId>): Promise<void> {
    const failure = await this.#stored.cancel(runId)
    if (failure === null) return
    showNotice({ title: words.stopFailed, detail: failure.message, tone: 'bad' })
    this.#change(key, (one) => ({ ...one, isStopping: false }))
  }

  #follow(runId: IdText<RunId>, startAfter?: number): Promise<OpenedRun> {
    const { kind, id, organizationId } = this.#of
    const ids = [organizationId, id, runId] as const
    return followRunStream(OPERATIONS[kind].resume, ids, startAfter === undefined ? {} : { startAfter })
  }

  #add(turn: Omit<PlaygroundTurn, 'key'>): PlaygroundTurn {
    const added = { ...turn, key: `turn-${this.#nextKey()}` }
    this.#paint((all) => withAdded(all, added))
    return added
  }

  #change(key: string, how: (turn: PlaygroundTurn) => PlaygroundTurn): void {
    this.#paint((all) => withTurn(all, key, how))
  }

  #paint(reduce: (turns: readonly PlaygroundTurn[]) => readonly PlaygroundTurn[]): void {
    this.#newest = { turns: reduce(this.#newest.turns), restoring: this.#restoringColumns() }
    const newest = this.#newest
    this.shown.update(() => newest)
  }

  #nextKey(): number {
    this.#lastKey += 1
    return this.#lastKey
  }
}
