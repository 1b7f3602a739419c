import type { DraftSave, OrganizationId, WorkflowId } from '@troupe/contract'
import type { Readers } from '@troupe/storage'

/** Maximum saves in one answer. */
const MOST_SAVES = 200

/** Maximum bytes of saves in one answer. */
const MOST_BYTES = 256 * 1024

/** The changes of a draft since a revision. */
export interface DraftChangesSince {
  /** Revision of the draft now. */
  draftRevision: number
  /** Whether the draft equals the published version. */
  isDraftPublished: boolean
  /**
   * Whether `data` contains every revision after the known one. Saves of whole drafts, and changes that are no longer
   * stored, are gaps.
   */
  isComplete: boolean
  /** The revision to continue from; null if `data` has all stored changes, or a gap. */
  next: number | null
  /** Oldest first. */
  data: DraftSave[]
}

/**
 * Reads a page of the changes of a draft since a revision. null if there is no such workflow.
 *
 * @param least minimum number of saves to read, regardless of their size; one may be as large as a draft
 */
export async function draftChangesSince(
  { builder }: Pick<Readers, 'builder'>,
  { organizationId, id }: { organizationId: OrganizationId; id: WorkflowId },
  since: number,
  least: number,
): Promise<DraftChangesSince | null> {
  const page = { since, least, limit: MOST_SAVES, bytes: MOST_BYTES }
  const found = await builder.workflows.changesSince(organizationId, id, page)
  if (found === null) return null
  const { draftRevision, isDraftPublished, rows } = found
  const last = rows.at(-1)?.revision ?? null
  const isComplete = rows.length === Math.max(0, draftRevision - since)
  const isGapless = last !== null && rows.length === last - since
  return {
    draftRevision,
    isDraftPublished,
    isComplete,
    next: isGapless && !isComplete ? last : null,
    data: rows.map(({ at, changes, ...row }) => ({
      ...row,
      changes: changes as Record<string, unknown>[],
      at: at.toISOString(),
    })),
  }
}
