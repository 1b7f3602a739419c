import type { DraftSave, OrganizationId, WorkflowId } from '@troupe/contract'
import type { Readers } from '@troupe/storage'

/** Saves that one answer has at most. */
const MOST_SAVES = 200

/** Bytes of saves in one answer. */
const MOST_BYTES = 256 * 1024

/** What changed in a draft since a revision. */
export interface DraftChangesSince {
  /** Of the draft now. */
  draftRevision: number
  /** Whether callers run exactly the draft now. */
  isDraftPublished: boolean
  /**
   * Whether `data` has every revision after the known one: whole drafts that were saved, and changes that are no longer kept, are
   * gaps.
   */
  isComplete: boolean
  /** The revision to read on from; null: `data` has all that is kept, or a gap. */
  next: number | null
  /** Oldest first. */
  data: DraftSave[]
}

/**
 * Reads what changed in a draft since a revision, a page of it. null: there is no such workflow.
 *
 * @param least saves that are read whatever their size; one may be as large as a draft
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
