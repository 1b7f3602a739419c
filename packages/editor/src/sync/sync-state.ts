import { coalesce, type Patch } from '../document/patch.ts'
import type { StepConflict } from '../merge/rebase.ts'

/** Milliseconds from the last change to a save. */
const REST_MS = 1000
/** Maximum milliseconds from the first unsaved change to a save. */
const LATEST_MS = 5000
/** Milliseconds before the first retry of a request that did not reach the server; doubled up to {@link MOST_WAIT_MS}. */
const FIRST_WAIT_MS = 1000
const MOST_WAIT_MS = 30_000
/** The longest wait that is accepted from the server. */
const MOST_ASKED_WAIT_MS = 300_000

/** The position of a new node or edge. */
export interface PartPlace {
  kind: 'node' | 'edge'
  id: string
  next: string | null
}

/** The inputs of a save. */
export interface SaveParts {
  /** The id of a new save: unique among all saves of the workflow. */
  newChangeId(): string
  /** The id of the part after this one in the current document; null for the last one. */
  nextOf(kind: 'node' | 'edge', id: string): string | null
}

/** A save in flight, or with an unknown result. It is resent unchanged, so that it is applied once. */
export interface SentSave {
  changeId: string
  /** The base revision. */
  draftRevision: number
  patches: readonly Patch[]
  /** The successor of each new part in the draft at that time; null for the last one. */
  places: readonly PartPlace[]
  gesture: string
  /** Whether the response is pending; false: it was lost, and the same save is to be resent. */
  isOut: boolean
}

/**
 * The synchronization of draft changes as a state machine. Clock and network are inputs: {@link nextStep} returns the next state and the
 * effects. Immutable.
 */
export interface SyncState {
  /** The latest revision that is completely in the document. */
  readonly revision: number
  readonly sent: SentSave | null
  /** Changes that are in no save yet, in order. */
  readonly queued: readonly Patch[]
  /** The gesture of the last command in `queued`. */
  readonly gesture: string
  /** The times of the first and the last change in `queued`, Unix milliseconds. */
  readonly firstAt: number
  readonly lastAt: number
  /** A newer known revision; null if none. */
  readonly behind: number | null
  readonly isFetching: boolean
  /** Conflicts that the user must decide before anything is sent. */
  readonly conflicts: readonly StepConflict[]
  /** The reason that nothing is sent at present. `refused`: the next change retries. */
  readonly obstacle: 'none' | 'unreachable' | 'signedOut' | 'refused'
  /** The server's text of a refusal or of a temporary error; null without a response. */
  readonly message: string | null
  /** Unix milliseconds before which nothing is retried. */
  readonly retryAt: number
  readonly failures: number
  /** The server's time of the last save, ISO 8601; null: nothing has been saved here. */
  readonly savedAt: string | null
}

export type SyncEvent =
  | { kind: 'edited'; patches: readonly Patch[]; gesture: string; at: number }
  /** Time has passed. */
  | { kind: 'tick'; at: number }
  /** Send everything now: requested by the user, or the page is closing. */
  | { kind: 'flush'; at: number }
  | { kind: 'saved'; changeId: string; revision: number; savedAt: string; at: number }
  /** 409: somebody else saved first. */
  | { kind: 'stale'; changeId: string; revision: number; at: number }
  /**
   * A save or a fetch failed and is retried: the network or the server is unavailable, or the server reported an
   * internal error. `message` is the server's text; `waitMs` is the wait that the server requests.
   */
  | { kind: 'unreachable'; at: number; message?: string | null; waitMs?: number }
  | { kind: 'signedOut'; at: number }
  /** The network is back, or the user has signed in. */
  | { kind: 'reachable'; at: number }
  | { kind: 'refused'; message: string; at: number }
  /** A newer revision is known. */
  | { kind: 'news'; revision: number; at: number }
  /** Somebody else's changes are merged into the document, and these changes are rebased on them. */
  | {
      kind: 'rebased'
      revision: number
      pending: readonly Patch[]
      conflicts: readonly StepConflict[]
      at: number
    }
  /** More conflicts for the user to decide. */
  | { kind: 'asked'; conflicts: readonly StepConflict[]; at: number }
  | { kind: 'decided'; ids: readonly string[]; at: number }

/** An action for the caller. */
export type SyncEffect =
  | { kind: 'send'; save: SentSave }
  /** Fetch the changes since a revision. */
  | { kind: 'fetch'; since: number }

export interface SyncStep {
  state: SyncState
  effects: SyncEffect[]
}

/** The state of a freshly loaded draft without unsaved changes. */
export function loadedState(revision: number): SyncState {
  return {
    revision,
    sent: null,
    queued: [],
    gesture: '',
    firstAt: 0,
    lastAt: 0,
    behind: null,
    isFetching: false,
    conflicts: [],
    obstacle: 'none',
    message: null,
    retryAt: 0,
    failures: 0,
    savedAt: null,
  }
}

export function nextStep(state: SyncState, event: SyncEvent, parts: SaveParts): SyncStep {
  const changed = received(state, event)
  return acted(changed, event.at, event.kind === 'flush', parts)
}

function received(state: SyncState, event: SyncEvent): SyncState {
  switch (event.kind) {
    case 'edited': {
      const { at, gesture } = event
      const queued = [...state.queued, ...event.patches]
      const firstAt = state.queued.length === 0 ? at : state.firstAt
      const isRefused = state.obstacle === 'refused'
      return {
        ...state,
        ...{ queued, gesture, firstAt, lastAt: at },
        ...(isRefused ? { obstacle: 'none', message: null } : {}),
      }
    }
    case 'tick':
    case 'flush':
      return state
    case 'saved': {
      if (state.sent?.changeId !== event.changeId) return state
      const { revision, savedAt } = event
      return { ...reached(state), sent: null, revision: Math.max(revision, state.revision), savedAt }
    }
    case 'stale': {
      if (state.sent?.changeId !== event.changeId) return state
      const { sent } = state
      const queued = [...sent.patches, ...state.queued]
      return { ...reached(state), sent: null, queued, behind: Math.max(event.revision, state.revision + 1) }
    }
    case 'unreachable': {
      const { message = null, waitMs = 0 } = event
      const own = Math.min(FIRST_WAIT_MS * 2 ** state.failures, MOST_WAIT_MS)
      const wait = Math.max(own, Math.min(waitMs, MOST_ASKED_WAIT_MS))
      return {
        ...lost(state),
        ...{ obstacle: 'unreachable', message },
        failures: state.failures + 1,
        retryAt: event.at + wait,
      }
    }
    case 'signedOut':
      return { ...lost(state), obstacle: 'signedOut' }
    case 'reachable':
      return state.obstacle === 'refused' ? state : reached(state)
    case 'refused': {
      const queued = [...(state.sent?.patches ?? []), ...state.queued]
      return {
        ...state,
        ...{ queued, sent: null, isFetching: false },
        ...{ obstacle: 'refused', message: event.message },
      }
    }
    case 'news':
      if (event.revision <= state.revision) return state
      return { ...state, behind: Math.max(event.revision, state.behind ?? 0) }
    case 'rebased': {
      const { revision, pending, conflicts, at } = event
      const isCaughtUp = (state.behind ?? 0) <= revision
      return {
        ...reached(state),
        ...{ revision, queued: pending, conflicts, isFetching: false, sent: null },
        behind: isCaughtUp ? null : state.behind,
        firstAt: state.queued.length === 0 ? at : state.firstAt,
      }
    }
    case 'asked': {
      const known = new Map([...state.conflicts, ...event.conflicts].map((one) => [one.id, one]))
      return { ...state, conflicts: [...known.values()] }
    }
    case 'decided': {
      const decided = new Set(event.ids)
      return { ...state, conflicts: state.conflicts.filter(({ id }) => !decided.has(id)) }
    }
    default:
      return event satisfies never
  }
}

const reached = (state: SyncState): SyncState => ({
  ...state,
  obstacle: 'none',
  message: null,
  failures: 0,
  retryAt: 0,
})

/** No response is pending any more. */
const lost = (state: SyncState): SyncState => ({
  ...state,
  isFetching: false,
  sent: state.sent && { ...state.sent, isOut: false },
})

function acted(state: SyncState, at: number, isAsked: boolean, parts: SaveParts): SyncStep {
  const nothing = { state, effects: [] }
  if (state.obstacle === 'signedOut' || state.obstacle === 'refused') return nothing
  if (state.obstacle === 'unreachable' && at < state.retryAt && !isAsked) return nothing
  if (state.sent?.isOut || state.isFetching) return nothing
  if (state.sent !== null) {
    const save = { ...state.sent, isOut: true }
    return { state: { ...state, sent: save }, effects: [{ kind: 'send', save }] }
  }
  if (state.behind !== null && state.behind > state.revision) {
    return { state: { ...state, isFetching: true }, effects: [{ kind: 'fetch', since: state.revision }] }
  }
  if (state.conflicts.length > 0 || state.queued.length === 0) return nothing
  if (!isAsked && at < dueAt(state)) return nothing
  const patches = coalesce(state.queued)
  if (patches.length === 0) return { state: { ...state, queued: [] }, effects: [] }
  const { revision: draftRevision, gesture } = state
  // The save now contains all changes of the document, so positions in the document are those of the save.
  const places = patches.flatMap((patch): PartPlace[] => {
    if (patch.kind === 'expose' || patch.before !== null || patch.after === null) return []
    return [{ kind: patch.kind, id: patch.id, next: parts.nextOf(patch.kind, patch.id) }]
  })
  const changeId = parts.newChangeId()
  const save = { changeId, draftRevision, patches, places, gesture, isOut: true }
  return { state: { ...state, sent: save, queued: [] }, effects: [{ kind: 'send', save }] }
}

const dueAt = ({ firstAt, lastAt }: SyncState) => Math.min(lastAt + REST_MS, firstAt + LATEST_MS)

/** The time of the next action without further events, Unix milliseconds; null: never. */
export function wakeAt(state: SyncState): number | null {
  if (state.sent?.isOut || state.isFetching) return null
  const isBehind = state.behind !== null && state.behind > state.revision
  if (state.sent === null && !isBehind && state.queued.length === 0) return null
  switch (state.obstacle) {
    case 'signedOut':
    case 'refused':
      return null
    case 'unreachable':
      return state.retryAt
    case 'none':
      if (state.sent !== null || isBehind) return 0
      return state.conflicts.length > 0 ? null : dueAt(state)
    default:
      return state.obstacle satisfies never
  }
}

/** The displayed state of the changes. `saved`: confirmed by the server. */
export type SyncStatus = 'saved' | 'unsaved' | 'saving' | 'unreachable' | 'signedOut' | 'conflict' | 'refused'

export function statusOf(state: SyncState): SyncStatus {
  const isClean = state.sent === null && state.queued.length === 0
  if (state.conflicts.length > 0) return 'conflict'
  if (isClean) return 'saved'
  if (state.obstacle !== 'none') return state.obstacle
  return state.sent === null ? 'unsaved' : 'saving'
}

/** All changes that are possibly unsaved, as the fewest patches. */
export function pendingOf({ sent, queued }: SyncState): Patch[] {
  return coalesce([...(sent?.patches ?? []), ...queued])
}
