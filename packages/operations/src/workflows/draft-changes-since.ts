import type { DraftSave, OrganizationId, WorkflowId } from '@troupe/contract'
import type { Readers } from '@troupe/storage'

/** Saves that one answer has at most. */
const MOST_SAVES = 200

/** Bytes of changes in one answer, but for the save that reaches them. A reader that lacks more reads the draft, of at most 4 MB. */
const MOST_BYTES = 4 * 1024 * 1024

/** What changed in a draft since a revision. */
export interface DraftChangesSince {
  /** Of the draft now. */
  draftRevision: number
  /** Whether callers run exactly the draft now. */
  isDraftPublished: boolean
  /**
   * Whether `data` has every revision after the known one: whole drafts that were saved, changes that are no longer kept, and what
   * exceeds the limits of one answer are gaps.
   */
  isComplete: boolean
  /** Oldest first. */
  data: DraftSave[]
}

/** Reads what changed in a draft since a revision. null: there is no such workflow. */
export async function draftChangesSince(
  { builder }: Pick<Readers, 'builder'>,
  { organizationId, id }: { organizationId: OrganizationId; id: WorkflowId },
  since: number,
): Promise<DraftChangesSince | null> {
  const page = { since, limit: MOST_SAVES, bytes: MOST_BYTES }
  const found = await builder.workflows.changesSince(organizationId, id, page)
  if (found === null) return null
  const { draftRevision, isDraftPublished, rows } = found
  return {
    draftRevision,
    isDraftPublished,
    isComplete: rows.length === Math.max(0, draftRevision - since),
    data: rows.map(({ at, changes, ...row }) => ({
      ...row,
      changes: changes as Record<string, unknown>[],
      at: at.toISOString(),
    })),
  }
}
