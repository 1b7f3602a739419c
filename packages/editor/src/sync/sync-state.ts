import { coalesce, type Patch } from '../document/patch.ts'
import type { StepConflict } from '../merge/rebase.ts'

/** A save begins this long after the last change. */
const REST_MS = 1000
/** A save begins at the latest this long after the first change that is not saved. */
const LATEST_MS = 5000
/** Waits before the first repeat of a request that did not reach the server; doubled up to {@link MOST_WAIT_MS}. */
const FIRST_WAIT_MS = 1000
const MOST_WAIT_MS = 30_000
/** Maximum wait that the server can ask for. */
const MOST_ASKED_WAIT_MS = 300_000

/** Where a new node or edge stands. */
export interface PartPlace {
  kind: 'node' | 'edge'
  id: string
  next: string | null
}

/** What a save is made with. */
export interface SaveParts {
  /** The id of a new save: its own among all saves of the workflow. */
  newChangeId(): string
  /** The id of the part behind one in the document as it is; null: it is the last one. */
  nextOf(kind: 'node' | 'edge', id: string): string | null
}

/** A save that is under way, or whose answer is not known. It is sent again as it is, so that it counts once. */
export interface SentSave {
  changeId: string
  /** The revision that it was made from. */
  draftRevision: number
  patches: readonly Patch[]
  /** What each new part of it comes before in the draft as it was then; null: it is the last one. */
  places: readonly PartPlace[]
  gesture: string
  /** Whether its answer is awaited; false: it is lost, and the same save is to be sent again. */
  isOut: boolean
}

/**
 * How the changes of a draft get to the server. Clock and network are inputs: {@link nextStep} answers with the next state and with
 * what is to be done. It never changes.
 */
export interface SyncState {
  /** The newest revision of which the document has everything. */
  readonly revision: number
  readonly sent: SentSave | null
  /** Changes that are in no save yet, in their order. */
  readonly queued: readonly Patch[]
  /** Of the last command in `queued`. */
  readonly gesture: string
  /** When the first and the last of `queued` were made, Unix milliseconds. */
  readonly firstAt: number
  readonly lastAt: number
  /** A newer revision that was heard of; null: none. */
  readonly behind: number | null
  readonly isFetching: boolean
  /** Questions that a person has to answer before anything is sent. */
  readonly conflicts: readonly StepConflict[]
  /** Why nothing is sent at present. `refused`: the next change tries again. */
  readonly obstacle: 'none' | 'unreachable' | 'signedOut' | 'refused'
  /** The server's text of a refusal or of a passing error; null: there was no answer. */
  readonly message: string | null
  /** Unix milliseconds before which nothing is repeated. */
  readonly retryAt: number
  readonly failures: number
  /** As the server said it, ISO 8601; null: nothing has been saved here. */
  readonly savedAt: string | null
}

export type SyncEvent =
  | { kind: 'edited'; patches: readonly Patch[]; gesture: string; at: number }
  /** Time has passed. */
  | { kind: 'tick'; at: number }
  /** Everything is to be sent now: a person asked for it, or the page goes away. */
  | { kind: 'flush'; at: number }
  | { kind: 'saved'; changeId: string; revision: number; savedAt: string; at: number }
  /** 409: somebody else saved before. */
  | { kind: 'stale'; changeId: string; revision: number; at: number }
  /**
   * A save or a question failed and is repeated: the network or the server is gone, or the server answered with an error of its own.
   * `message` is the server's text; `waitMs` is how long the server asks to wait.
   */
  | { kind: 'unreachable'; at: number; message?: string | null; waitMs?: number }
  | { kind: 'signedOut'; at: number }
  /** The network is back, or the person has signed in. */
  | { kind: 'reachable'; at: number }
  | { kind: 'refused'; message: string; at: number }
  /** A newer revision was heard of. */
  | { kind: 'news'; revision: number; at: number }
  /** Somebody else's changes are in the document, and these are on top of them. */
  | {
      kind: 'rebased'
      revision: number
      pending: readonly Patch[]
      conflicts: readonly StepConflict[]
      at: number
    }
  /** A person has to answer these, too. */
  | { kind: 'asked'; conflicts: readonly StepConflict[]; at: number }
  | { kind: 'decided'; ids: readonly string[]; at: number }

/** What is to be done. */
export type SyncEffect =
  | { kind: 'send'; save: SentSave }
  /** Ask what changed since a revision. */
  | { kind: 'fetch'; since: number }

export interface SyncStep {
  state: SyncState
  effects: SyncEffect[]
}

/** A draft as it was loaded: nothing of it is unsaved. */
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

/** Nothing is awaited any more. */
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
  // All of the document is in the save now, so that its places are those of the save.
  const places = patches.flatMap((patch): PartPlace[] => {
    if (patch.kind === 'expose' || patch.before !== null || patch.after === null) return []
    return [{ kind: patch.kind, id: patch.id, next: parts.nextOf(patch.kind, patch.id) }]
  })
  const changeId = parts.newChangeId()
  const save = { changeId, draftRevision, patches, places, gesture, isOut: true }
  return { state: { ...state, sent: save, queued: [] }, effects: [{ kind: 'send', save }] }
}

const dueAt = ({ firstAt, lastAt }: SyncState) => Math.min(lastAt + REST_MS, firstAt + LATEST_MS)

/** When something is to be done if nothing else happens, Unix milliseconds; null: never. */
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

/** What a page says of its changes. `saved`: the server has said so. */
export type SyncStatus = 'saved' | 'unsaved' | 'saving' | 'unreachable' | 'signedOut' | 'conflict' | 'refused'

export function statusOf(state: SyncState): SyncStatus {
  const isClean = state.sent === null && state.queued.length === 0
  if (state.conflicts.length > 0) return 'conflict'
  if (isClean) return 'saved'
  if (state.obstacle !== 'none') return state.obstacle
  return state.sent === null ? 'unsaved' : 'saving'
}

/** Everything that is not certainly saved, as the fewest patches. */
export function pendingOf({ sent, queued }: SyncState): Patch[] {
  return coalesce([...(sent?.patches ?? []), ...queued])
}
