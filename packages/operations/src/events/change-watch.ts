import { DomainError, type OrganizationId, type SignInRowId } from '@troupe/contract'
import type { ChangeEvent } from '@troupe/contract/builder'
import type { ChangedEntry, Database, ObservedChanges, WatchedThings } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import type { Topics } from './topics.ts'

/** Milliseconds between two polls, and the maximum delay of an event. */
const POLL_MS = 500
const MOST_STREAMS = 8
/**
 * Audit entries get their numbers before they are committed, so a smaller number can appear later: each poll reads this
 * many earlier numbers again. A poll reads more than that, so that a burst is spread over several polls.
 */
const OVERLAP = 100
/**
 * A page requests its data before its connection is ready. A new connection therefore gets the changes of the preceding
 * milliseconds, so that a page only refetches older data.
 */
const COVERED_MS = 10_000
/** An entry has the start time of its transaction, and no transaction that writes entries takes longer than this. */
const LONGEST_TRANSACTION_MS = 10_000

/** A watching connection: where its events go, and how to close it. */
export interface Watcher {
  readonly caller: BuilderCaller
  /** null for the operator. */
  readonly sessionId: SignInRowId | null
  readonly topics: Topics
  send(event: ChangeEvent): void
  close(): void
}

interface Watching extends Watcher {
  /** The last known state of each topic. */
  readonly states: Map<string, string | null>
  /** The last known revision of the draft of each workflow, by its topic. */
  readonly drafts: Map<string, number | null>
  /** Numbers of audit entries that were sent to it, or that existed when it started to watch. */
  readonly sent: Set<number>
  /**
   * The watermark: the number of the newest audit entry at its first poll; null before. The first poll that reads entries adds those
   * up to it to `sent` without sending them.
   */
  since: number | null
  /** Whether that poll has run. From then on, an unknown number below the watermark is an entry that was committed late. */
  isSeeded: boolean
  /** Whether its first poll has set `states`, so that every later change is sent. */
  isReady: boolean
}

/** Dependencies of {@link ChangeWatch}. */
export interface ChangeWatchParts {
  database: {
    observed: Pick<Database['observed'], 'changes'>
    signals: Pick<Database['signals'], 'subscribe'>
  }
  /** Called when a poll has failed; the next poll follows. */
  onError: (error: unknown) => void
}

/**
 * Notifies connections of changes. One statement per poll serves every connection of this process, and there are no
 * polls without connections. Runs send no notification for it: commits that NOTIFY queue behind each other.
 */
export class ChangeWatch {
  readonly #parts: ChangeWatchParts
  readonly #watching = new Set<Watching>()
  /** The newest entry of the audit log at the last poll; null before the first. */
  #newestEntry: number | null = null
  #timer: NodeJS.Timeout | null = null
  #polling = false
  #unsubscribe: (() => void) | null = null

  constructor(parts: ChangeWatchParts) {
    this.#parts = parts
  }

  /**
   * Adds a watcher until the returned function is called.
   *
   * @throws DomainError `concurrency_limit_reached` when the person already has too many connections
   */
  add(watcher: Watcher): () => void {
    const { userId, organizationId } = watcher.caller
    const own = [...this.#watching].filter(
      ({ caller }) =>
        caller.userId === userId && (userId !== null || caller.organizationId === organizationId),
    )
    if (own.length >= MOST_STREAMS) {
      throw new DomainError(
        'concurrency_limit_reached',
        `You have too many open event streams; at most ${MOST_STREAMS} are allowed.`,
      )
    }
    const watching: Watching = {
      ...watcher,
      states: new Map(),
      drafts: new Map(),
      sent: new Set(),
      since: null,
      isSeeded: false,
      isReady: false,
    }
    this.#watching.add(watching)
    this.#start()
    void this.poll()
    return () => {
      this.#watching.delete(watching)
      if (this.#watching.size === 0) this.#stop()
    }
  }

  /** Closes every connection. */
  closeAll(): void {
    for (const watcher of this.#watching) watcher.close()
  }

  #start(): void {
    this.#unsubscribe ??= this.#parts.database.signals.subscribe((signal) => {
      if (signal.kind === 'config_changed' || signal.kind === 'draft_changed') void this.poll()
    })
    this.#timer ??= setInterval(() => void this.poll(), POLL_MS).unref()
  }

  #stop(): void {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
    this.#unsubscribe?.()
    this.#unsubscribe = null
    this.#newestEntry = null
  }

  /** Polls once and notifies every connection; a call during a poll does nothing. */
  async poll(): Promise<void> {
    if (this.#polling || this.#watching.size === 0) return
    this.#polling = true
    try {
      const asked = [...this.#watching]
      this.#tell(asked, await this.#parts.database.observed.changes(thingsOf(asked, this.#newestEntry)))
    } catch (error) {
      this.#parts.onError(error)
    } finally {
      this.#polling = false
    }
  }

  #tell(asked: readonly Watching[], found: ObservedChanges): void {
    const readUpTo = Math.min(...found.organizations.map(({ newestEntry }) => newestEntry))
    if (Number.isFinite(readUpTo)) this.#newestEntry = readUpTo
    const valid = new Set(
      found.viewers.map(({ sessionId, organizationId }) => `${sessionId} ${organizationId}`),
    )
    for (const watcher of asked) {
      const { sessionId, caller } = watcher
      if (sessionId !== null && !valid.has(`${sessionId} ${caller.organizationId}`)) watcher.close()
      else tellOne(watcher, found, this.#newestEntry ?? 0)
    }
  }
}

function thingsOf(watching: readonly Watching[], newest: number | null): WatchedThings {
  const organizations = new Map<
    OrganizationId,
    { runs: boolean; reviews: boolean; configuration: boolean; hasNew: boolean }
  >()
  for (const { caller, topics, isReady } of watching) {
    const known = organizations.get(caller.organizationId)
    organizations.set(caller.organizationId, {
      runs: topics.runs || known?.runs === true,
      reviews: topics.reviews || known?.reviews === true,
      configuration: topics.configuration || known?.configuration === true,
      hasNew: (topics.configuration && !isReady) || known?.hasNew === true,
    })
  }
  const things = watching.flatMap(({ caller, topics }) =>
    topics.things.map(({ kind, id }) => ({ organizationId: caller.organizationId, kind, id })),
  )
  return {
    organizations: [...organizations].map(([organizationId, { configuration, hasNew, ...asked }]) => {
      return {
        organizationId,
        ...asked,
        entriesAfter: configuration && newest !== null ? newest - OVERLAP : null,
        recentMs: hasNew ? COVERED_MS + LONGEST_TRANSACTION_MS : null,
      }
    }),
    watched: [...new Map(things.map((one) => [`${one.organizationId} ${one.kind} ${one.id}`, one])).values()],
    viewers: watching.flatMap(({ sessionId, caller }) =>
      sessionId === null ? [] : [{ sessionId, organizationId: caller.organizationId }],
    ),
  }
}

function tellOne(watcher: Watching, { organizations, watched }: ObservedChanges, readUpTo: number): void {
  const { caller, topics, states, drafts } = watcher
  const { organizationId } = caller
  const own = organizations.find((one) => one.organizationId === organizationId)
  const observe = (topic: string, state: string | null, revision: number | null = null) => {
    const isKnown = states.has(topic)
    const isAlone = states.get(topic) === state
    const isEdited = revision !== null && revision !== drafts.get(topic)
    if (isKnown && isAlone && !isEdited) return
    states.set(topic, state)
    drafts.set(topic, revision)
    const draft = isEdited ? { revision, isAlone } : null
    if (isKnown) watcher.send({ event: 'changed', topic, coveredMs: null, change: null, draft })
  }
  if (own && topics.runs) observe('runs', own.runs)
  if (own && topics.reviews) observe('reviews', own.reviews)
  for (const { kind, id, topic } of topics.things) {
    const found = watched.find(
      (one) => one.organizationId === organizationId && one.kind === kind && one.id === id,
    )
    if (found) observe(topic, found.state, found.draftRevision)
  }
  if (!watcher.isReady) {
    const coveredMs = !topics.configuration ? null : own?.recent ? COVERED_MS : 0
    watcher.send({ event: 'ready', topic: null, coveredMs, change: null, draft: null })
    if (own && topics.configuration) tellRecent(watcher, own.recent ?? [])
  }
  watcher.isReady = true
  if (own && topics.configuration) tellEntries(watcher, own, readUpTo)
}

function tellRecent(watcher: Watching, recent: readonly ChangedEntry[]): void {
  for (const entry of recent) {
    watcher.sent.add(entry.id)
    watcher.send(eventOf(entry))
  }
}

function eventOf({ id, action, entityKind, entityId }: ChangedEntry): ChangeEvent {
  const change = { entryId: id, action, entityKind, entityId }
  return { event: 'changed', topic: 'configuration', coveredMs: null, change, draft: null }
}

function tellEntries(
  watcher: Watching,
  own: ObservedChanges['organizations'][number],
  readUpTo: number,
): void {
  const { sent } = watcher
  watcher.since ??= own.newestEntry
  if (own.entries === null) return
  for (const entry of own.entries) {
    if (sent.has(entry.id)) continue
    sent.add(entry.id)
    if (!watcher.isSeeded && entry.id <= watcher.since) continue
    watcher.send(eventOf(entry))
  }
  watcher.isSeeded = true
  const oldest = readUpTo - 2 * OVERLAP
  for (const id of sent) if (id < oldest) sent.delete(id)
}
