import {
  type DraftSave,
  type IdText,
  isJsonObject,
  jsonBytes,
  type OrganizationId,
  type WorkflowId,
} from '@troupe/contract'
import type { SaveDraftBody } from '@troupe/contract/builder'
import { isExactGraph, readGraph } from '@troupe/editor/document/read-graph'
import type { StoredDraft, StoredSave } from '@troupe/editor/session/workflow-editor'
import { changesOf, type DraftChange } from '@troupe/editor/sync/draft-changes'
import type { SentSave } from '@troupe/editor/sync/sync-state'
import { historyWords as words } from '../../../core/messages/en/workflows/outline.ts'
import { asCallFailure, type CallFailure } from '../../../infrastructure/client/call-failure.ts'
import { callOperation } from '../../../infrastructure/client/call-operation.ts'

/** Maximum characters of the label of a change in the audit log. */
const MOST_GESTURE = 200
/** Maximum bytes of a keepalive request. Fetch allows 64 KiB for all of them together. */
const MOST_KEEPALIVE = 48_000

/** Maximum pages of saves; beyond it the draft is read instead, which is about as large. */
const MOST_PAGES = 16

/** A request without a response for this long counts as lost and is resent with the same id. */
const PATIENCE_MS = 120_000
const patience = () => AbortSignal.timeout(PATIENCE_MS)

/** The author and time of a draft's change. */
export type DraftAuthor = Pick<DraftSave, 'changedBy' | 'at'>

/** The saves after a revision. */
export interface NewSaves {
  revision: number
  /** null: incomplete, so the whole draft has to be read. */
  saves: readonly StoredSave[] | null
  /** The ids of the saves in the response, also of an incomplete one. */
  changeIds: readonly string[]
  author: DraftAuthor | null
  /** null: unknown. */
  isDraftPublished: boolean | null
}

/** The outcome of a save. A response that is not Troupe's, such as that of a proxy, counts as unreachable. */
export type DraftSaveOutcome =
  | { kind: 'saved'; revision: number; savedAt: string; isDraftPublished: boolean }
  | { kind: 'stale'; since: NewSaves }
  | Trouble

/** `unreachable`: retried automatically. `message`: the server's error, null without a response; `waitMs`: the requested delay. */
type Trouble =
  | { kind: 'unreachable'; message?: string | null; waitMs?: number }
  | { kind: 'signedOut' }
  | { kind: 'refused'; message: string }

/** The server's current draft. */
export interface WholeDraft extends StoredDraft {
  author: DraftAuthor | null
  isDraftPublished: boolean
}

/** The requests of an editing session. */
export interface DraftCalls {
  /** @param isLast whether the page is closing and the request should outlive it */
  save(save: SentSave, isLast: boolean): Promise<DraftSaveOutcome>
  changesSince(revision: number): Promise<{ kind: 'since'; since: NewSaves } | Trouble>
  whole(): Promise<{ kind: 'whole'; draft: WholeDraft } | Trouble>
}

/** The requests over HTTP. */
export function draftCalls(
  organizationId: IdText<OrganizationId>,
  workflowId: IdText<WorkflowId>,
): DraftCalls {
  const params = { workflowId }
  return {
    async save(save, isLast) {
      const { changeId, draftRevision, gesture } = save
      const changes = changesOf(save).map(sentChange)
      // The server refuses half of an emoji, and all changes with it.
      const shortGesture = gesture.slice(0, MOST_GESTURE).toWellFormed()
      const body = { draftRevision, changeId, changes, gesture: shortGesture }
      const keepalive = isLast && jsonBytes(body, MOST_KEEPALIVE) < MOST_KEEPALIVE
      try {
        const answer = await callOperation(
          'saveWorkflowDraft',
          organizationId,
          { params, body },
          { keepalive, signal: patience() },
        )
        if (!isJsonObject(answer) || typeof answer.draftRevision !== 'number') return { kind: 'unreachable' }
        const { draftRevision: revision, savedAt, isDraftPublished } = answer
        return { kind: 'saved', revision, savedAt, isDraftPublished }
      } catch (error) {
        const failure = asCallFailure(error)
        const { current, changesSince } = failure
        if (failure.code !== 'draft_conflict' || current?.number == null) return troubleOf(failure)
        const { number: revision, changedBy, changedAt: at } = current
        const saves = changesSince && savesOf(changesSince)
        const author = changedBy && { changedBy, at }
        const changeIds = idsOf(changesSince ?? [])
        return { kind: 'stale', since: { revision, saves, changeIds, author, isDraftPublished: null } }
      }
    },
    async changesSince(since) {
      const known: DraftSave[] = []
      try {
        for (let page = 1, from = since; ; page += 1) {
          const found = await callOperation(
            'listDraftChanges',
            organizationId,
            { params, query: { since: from } },
            { signal: patience() },
          )
          if (!isJsonObject(found) || !Array.isArray(found.data)) return { kind: 'unreachable' }
          const { draftRevision: revision, isComplete, isDraftPublished, data, next } = found
          known.push(...data)
          if (typeof next === 'number' && page < MOST_PAGES) {
            from = next
            continue
          }
          const saves = savesOf(known)
          const author = known.at(-1) ?? null
          const changeIds = idsOf(known)
          return {
            kind: 'since',
            since: { revision, saves: isComplete ? saves : null, changeIds, author, isDraftPublished },
          }
        }
      } catch (error) {
        return troubleOf(asCallFailure(error))
      }
    },
    async whole() {
      try {
        const found = await callOperation('getWorkflow', organizationId, { params }, { signal: patience() })
        if (!isJsonObject(found) || typeof found.draftRevision !== 'number') return { kind: 'unreachable' }
        const { draftRevision: revision, draft, updatedBy, updatedAt, isDraftPublished } = found
        const author = updatedBy && { changedBy: updatedBy, at: updatedAt }
        return { kind: 'whole', draft: { revision, graph: readGraph(draft), author, isDraftPublished } }
      } catch (error) {
        return troubleOf(asCallFailure(error))
      }
    },
  }
}

function troubleOf(failure: CallFailure): Trouble {
  const { code, message, isPassing, status, requestId, retryAfterSeconds } = failure
  if (code === 'unauthorized') return { kind: 'signedOut' }
  if (code === 'aborted' || status === null) return { kind: 'unreachable' }
  if (!isPassing && code !== 'invalid_answer') return { kind: 'refused', message }
  const waitMs = (retryAfterSeconds ?? 0) * 1000
  return { kind: 'unreachable', message: words.withRequest(message, requestId), waitMs }
}

/** null: a change is of a kind unknown to this build, so the whole draft has to be read. */
function savesOf(saves: readonly DraftSave[]): StoredSave[] | null {
  const read: StoredSave[] = []
  for (const { changeId, changes } of saves) {
    const known = changes.map(storedChange)
    if (!known.every((change) => change !== null)) return null
    read.push({ changeId, changes: known })
  }
  return read
}

const idsOf = (saves: readonly DraftSave[]) => saves.flatMap(({ changeId }) => changeId ?? [])

/** A saved change, with the defaults filled in by the server; null: of an unknown kind. */
function storedChange(change: Record<string, unknown>): DraftChange | null {
  const { put, remove, expose, ...others } = change
  if (Object.keys(others).length > 0) return null
  if (isJsonObject(put)) {
    const graph = { nodes: listOf(put.node), edges: listOf(put.edge) }
    if (!isExactGraph(graph)) return null
    const {
      nodes: [node],
      edges: [edge],
    } = readGraph(graph)
    const place = typeof put.before === 'string' ? { before: put.before } : {}
    if (node) return { put: { node, ...place } }
    return edge ? { put: { edge, ...place } } : null
  }
  if (isJsonObject(remove)) {
    const { nodeId, edgeId } = remove
    if (typeof nodeId === 'string') return { remove: { nodeId } }
    return typeof edgeId === 'string' ? { remove: { edgeId } } : null
  }
  return expose === 'mcp' || expose === null ? { expose } : null
}

const listOf = (part: unknown) => (part === undefined ? [] : [part])

/** A change in the format of the request. */
function sentChange(change: DraftChange): SaveDraftBody['changes'][number] {
  if (!('put' in change)) return change
  const { put } = change
  return { put: 'node' in put ? { ...put, node: { ...put.node } } : { ...put, edge: { ...put.edge } } }
}
