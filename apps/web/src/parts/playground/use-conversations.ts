import { useEffect, useRef } from 'react'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { playgroundWords as words } from '../../core/messages/en/parts/playground.ts'
import {
  newTurn,
  type PlayedVersion,
  type PlaygroundTurn,
  sessionOf,
  turnAfter,
  turnsOf,
  withTurn,
} from '../../core/playground/turns.ts'
import { asCallFailure, CallFailure } from '../../infrastructure/client/call-failure.ts'
import { useForgetDraft } from '../../infrastructure/drafts/use-draft.ts'
import { useOrganizationId } from '../../infrastructure/sign-in/organization-id.ts'
import { followRunStream, type OpenedRun, startRunStream } from '../../infrastructure/streams/run-stream.ts'
import { useFrameState } from '../../infrastructure/streams/use-frame-state.ts'
import { turnFailure } from './turn-failure.ts'
import { useStoredTurns } from './use-stored-turns.ts'

/** What a message is sent to. */
export interface PlayTarget {
  column: number
  played: PlayedVersion
  /** The part of the request's body that says what runs. */
  body: object
}

/** The conversations of a playground, one in each column. */
export interface Conversations {
  turns: readonly PlaygroundTurn[]
  /** Asks every target; each goes on with its own conversation, unless all begin anew. */
  send(message: string, targets: readonly PlayTarget[], isNew?: boolean): void
  stop(turn: PlaygroundTurn): void
  /** Reads a run on whose connection was lost. */
  readOn(turn: PlaygroundTurn): void
  /** Empties all columns, or one; runs that are under way go on without being read. */
  clear(column?: number): void
  /** Takes a column away; those behind it move up. */
  removeColumn(column: number): void
}

export interface ConversationsOf {
  kind: 'agent' | 'team'
  id: string
  /** The last run of each column, from the address; '' for none. Read once. */
  runs: readonly string[]
  /** A column has another last run; null: it is empty. */
  onRun(column: number, runId: string | null): void
  onColumnGone(column: number): void
}

const OPERATIONS = {
  agent: { start: 'playAgent', resume: 'resumeAgentPlayground' },
  team: { start: 'playTeam', resume: 'resumeTeamPlayground' },
} as const

/** Sends messages, reads the streams of their runs and paints them once a frame. */
export function useConversations(of: ConversationsOf): Conversations {
  const { kind, id, runs, onRun, onColumnGone } = of
  const organizationId = useOrganizationId() ?? ''
  const stored = useStoredTurns(kind, id)
  const forgetDraft = useForgetDraft()
  const [turns, update] = useFrameState<readonly PlaygroundTurn[]>([])
  /** Of this opening of the playground; what another one began is not painted here. */
  const life = useRef({ isGone: false })
  const lastKey = useRef(0)
  const closing = useRef(new Map<string, () => void>())
  /** The column of each turn now: a column before it may have been taken away. */
  const columns = useRef(new Map<string, number>())
  /** Turns that were taken off the page before their run had an id. */
  const dropped = useRef(new Set<string>())
  /** Runs that were asked to stop before they had an id. */
  const unwanted = useRef(new Set<string>())
  const { start, resume } = OPERATIONS[kind]
  const change = (key: string, how: (turn: PlaygroundTurn) => PlaygroundTurn) =>
    update((all) => withTurn(all, key, how))

  const read = async (turn: PlaygroundTurn, opening: Promise<OpenedRun>) => {
    const { key } = turn
    const own = life.current
    const opened = await opening
    // The composer may be gone: it would offer again what was taken.
    if (opened.ok && own.isGone) forgetDraft(`playground/${kind}/${id}`)
    const isDropped = dropped.current.delete(key)
    if (own.isGone || isDropped) return opened.ok ? opened.data.close() : undefined
    if (!opened.ok) {
      change(key, (one) => ({ ...one, phase: 'settled', failure: turnFailure(opened), isStopping: false }))
      return
    }
    const stream = opened.data
    closing.current.set(key, stream.close)
    change(key, (one) => ({ ...one, phase: 'streaming', run: { ...one.run, runId: stream.runId } }))
    onRun(columns.current.get(key) ?? turn.column, stream.runId)
    if (unwanted.current.delete(key)) void stopRun(key, stream.runId)
    try {
      for await (const event of stream) change(key, (one) => turnAfter(one, event, performance.now()))
      change(key, (one) => ({ ...one, phase: 'settled', isStopping: false }))
    } catch (error) {
      const failure = turnFailure(error)
      change(key, (one) => ({ ...one, phase: 'settled', failure, isStopping: false }))
    } finally {
      closing.current.delete(key)
    }
  }

  const stopRun = async (key: string, runId: string) => {
    const failure = await stored.cancel(runId)
    if (failure === null) return
    showNotice({ title: words.stopFailed, detail: failure.message, tone: 'bad' })
    change(key, (one) => ({ ...one, isStopping: false }))
  }

  const add = (turn: Omit<PlaygroundTurn, 'key'>): PlaygroundTurn => {
    lastKey.current += 1
    const added = { ...turn, key: `turn-${lastKey.current}` }
    columns.current.set(added.key, added.column)
    update((all) => [...all, added])
    return added
  }

  const restore = async (column: number, runId: string) => {
    const own = life.current
    const found = await stored.conversationOf(runId, column).catch(asCallFailure)
    if (own.isGone) return
    if (found instanceof CallFailure && found.code !== 'run_not_found') {
      const again = { label: words.retry, run: () => void restore(column, runId) }
      return showNotice({ title: words.notRestored, detail: found.message, tone: 'bad', action: again })
    }
    if (found === null || found instanceof CallFailure) {
      onRun(column, null)
      return
    }
    for (const turn of found.earlier) add(turn)
    const last = add(found.last)
    const opened = await followRunStream(resume, [organizationId, id, runId])
    // Events are kept for a time; the outcome is kept longer.
    if (opened.ok || found.ended === null) await read(last, Promise.resolve(opened))
    else change(last.key, (one) => ({ ...one, run: found.ended ?? one.run, phase: 'settled' }))
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is read when the playground opens
  useEffect(() => {
    const own = { isGone: false }
    life.current = own
    const open = closing.current
    runs.forEach((runId, column) => {
      if (runId !== '') void restore(column, runId)
    })
    return () => {
      own.isGone = true
      for (const close of open.values()) close()
      update(() => [])
    }
  }, [kind, id])

  const clear = (column?: number) => {
    const cleared = column === undefined ? turns : turnsOf(turns, column)
    for (const { key, phase } of cleared) {
      const close = closing.current.get(key)
      if (close) close()
      else if (phase !== 'settled') dropped.current.add(key)
      columns.current.delete(key)
    }
    const keys = new Set(cleared.map(({ key }) => key))
    update((all) => all.filter(({ key }) => !keys.has(key)))
    for (const one of new Set(cleared.map((turn) => turn.column))) onRun(one, null)
  }

  return {
    turns,
    send: (message, targets, isNew = false) => {
      if (isNew) clear()
      lastKey.current += 1
      const round = `round-${lastKey.current}`
      for (const { column, played, body } of targets) {
        const session = isNew ? null : sessionOf(turns, column)
        const fresh = newTurn({ key: '', round, column, message, played, sentMs: performance.now() })
        const request = { ...body, message, ...(session === null ? {} : { session_id: session }) }
        void read(add(fresh), startRunStream({ start, resume, ids: [organizationId, id], body: request }))
      }
    },
    stop: ({ key, run }) => {
      change(key, (one) => ({ ...one, isStopping: true }))
      if (run.runId === null) unwanted.current.add(key)
      else void stopRun(key, run.runId)
    },
    readOn: (turn) => {
      const { runId, lastSeq } = turn.run
      if (runId === null) return
      change(turn.key, (one) => ({ ...one, failure: null, phase: 'streaming' }))
      void read(turn, followRunStream(resume, [organizationId, id, runId], { startAfter: lastSeq }))
    },
    clear,
    removeColumn: (column) => {
      clear(column)
      for (const [key, one] of columns.current) if (one > column) columns.current.set(key, one - 1)
      update((all) => all.map((turn) => (turn.column > column ? { ...turn, column: turn.column - 1 } : turn)))
      onColumnGone(column)
    },
  }
}
