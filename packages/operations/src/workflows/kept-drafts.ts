import type { IdText, OrganizationId, WorkflowId } from '@troupe/contract'
import type { SavedDraft } from '@troupe/storage'
import { LRUCache } from 'lru-cache'
import type { DraftTexts } from './draft-texts.ts'

/** Maximum bytes of all drafts in memory. The largest draft has 4 MB of JSON and takes up to 13 MB. */
const MAX_BYTES = 64 * 1024 * 1024
/** Longer than most pauses of a person who edits. */
const KEPT_MS = 10 * 60_000

/** A saved draft. */
export interface KeptDraft extends SavedDraft {
  draft: DraftTexts
}

/**
 * The drafts saved by this process, so that the next save of an editor neither reads nor parses them.
 *
 * A cached draft is used only if the locked row still has its revision and its time. Every write of a draft increments
 * the revision in the same statement, under the lock of the row. So writes by other requests and servers are visible
 * under the lock, and none can follow before it is released. Restores, imports, bundles and saves of JSON therefore
 * need no notification. The time differs after a restore of a database backup, where revisions may repeat.
 *
 * Two saves may arrive here in the reverse order of their commits. Then the older draft is cached, and the next save
 * reads the row.
 */
export class KeptDrafts {
  readonly #drafts = new LRUCache<string, KeptDraft>({
    ...{ maxSize: MAX_BYTES, ttl: KEPT_MS },
    // A timer removes expired drafts, which otherwise stay in memory until others need the space. It does not keep the
    // process alive.
    ttlAutopurge: true,
  })

  find(organizationId: OrganizationId, workflowId: IdText<WorkflowId>): KeptDraft | null {
    return this.#drafts.get(keyOf(organizationId, workflowId)) ?? null
  }

  forget(organizationId: OrganizationId, workflowId: IdText<WorkflowId>): void {
    this.#drafts.delete(keyOf(organizationId, workflowId))
  }

  /** Caches the draft of a committed save. */
  keep(
    organizationId: OrganizationId,
    workflowId: IdText<WorkflowId>,
    { revision, at, draft }: KeptDraft,
  ): void {
    this.#drafts.set(
      keyOf(organizationId, workflowId),
      { revision, at, draft },
      { size: Math.max(1, draft.memory) },
    )
  }
}

function keyOf(organizationId: OrganizationId, workflowId: IdText<WorkflowId>): string {
  return `${organizationId} ${workflowId.toLowerCase()}`
}
