import type { OrganizationId, UnsavedChangesId, UserId } from '@troupe/contract'
import type { unsavedChanges } from '../tables/unsaved-changes/unsaved-changes.ts'

type UnsavedKind = (typeof unsavedChanges)['$inferInsert']['kind']

/** Identifies unsaved changes: a member and a resource, for example an agent. */
export interface UnsavedPlace {
  organizationId: OrganizationId
  kind: UnsavedKind
  thingId: string
  userId: UserId
}

export interface UnsavedRecord {
  /** Identifies the last write. */
  changeId: UnsavedChangesId
  /** The change ids of earlier writes that the edit was made from, newest first, at most 100. */
  builtOn: readonly UnsavedChangesId[]
  /** null: discarded or saved. */
  edit: unknown
  savedAt: Date
}

/** A write of unsaved changes. */
export interface UnsavedWrite extends UnsavedPlace {
  changeId: UnsavedChangesId
  /** The change id of the stored edit that this write replaces; null: none is known. */
  replaces: UnsavedChangesId | null
  /** Whether the replaced edit is the writer's own, and known to be stored. Its id is then not added to `builtOn`. */
  isOwnReplaced: boolean
  edit: unknown
  bytes: number
  /**
   * Maximum total bytes of the member's edits in the organization. A write without an edit is never refused for its
   * size.
   */
  mostBytes: number
}

export interface UnsavedChangesReader {
  find(place: UnsavedPlace): Promise<UnsavedRecord | null>
  /** Other active members with an edit of the same resource, newest first, at most 20. */
  others(
    place: UnsavedPlace,
  ): Promise<(Pick<UnsavedRecord, 'changeId' | 'savedAt'> & { userId: UserId; name: string })[]>
}

export interface UnsavedChangesWriter {
  /**
   * Compares and sets in one statement: of two concurrent writes that replace the same edit, the second is refused.
   * Without a row nothing can be overwritten, so every write is stored.
   *
   * Writes of a member's edits are serialised by the member's row, so that together they stay within `mostBytes`.
   *
   * @returns the time of the write; `conflict`: another edit is stored; `full`: no room, and no conflict. Throws
   * SqlError 23503 if the resource or the member is gone
   */
  put(write: UnsavedWrite): Promise<Date | 'conflict' | 'full'>
  /** Marks an edit as saved if it is the one with `changeId`. @param settledAs the new change id */
  settle(place: UnsavedPlace, changes: Record<'changeId' | 'settledAs', UnsavedChangesId>): Promise<void>
  /** Marks other members' edits with exactly this content as saved: the save contains their changes. */
  settleOthers(place: UnsavedPlace, content: object): Promise<void>
}

export interface UnsavedChangesUpkeep {
  /** Deletes rows that were last written before the given time. */
  sweep(before: Date): Promise<void>
}
