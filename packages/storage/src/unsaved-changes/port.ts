import type { OrganizationId, UserId } from '@troupe/contract'
import type { unsavedChanges } from '../tables/unsaved-changes/unsaved-changes.ts'

type UnsavedKind = (typeof unsavedChanges)['$inferInsert']['kind']

/** The owner of unsaved changes: a member and a thing, such as an agent. */
export interface UnsavedPlace {
  organizationId: OrganizationId
  kind: UnsavedKind
  thingId: string
  userId: UserId
}

export interface UnsavedRecord {
  /** Of the last write. */
  changeId: string
  /** null: discarded or saved. */
  edit: unknown
  savedAt: Date
}

/** A write of unsaved changes. */
export interface UnsavedWrite extends UnsavedPlace {
  changeId: string
  /** The change id of the stored ones; null: none are known. */
  replaces: string | null
  edit: unknown
  bytes: number
  /** Maximum bytes of all edits of the member in the organization. A write without an edit needs no room. */
  mostBytes: number
}

export interface UnsavedChangesReader {
  find(place: UnsavedPlace): Promise<UnsavedRecord | null>
  /** Active members other than one with an edit of a thing, newest first, at most 20. */
  others(place: UnsavedPlace): Promise<(Omit<UnsavedRecord, 'edit'> & { userId: UserId; name: string })[]>
}

export interface UnsavedChangesWriter {
  /**
   * Compare and set in one statement: of two concurrent writes that replace the same one, the second finds the first. Without a row nothing
   * can be overwritten, so any write is stored.
   *
   * Writes of one member with an edit take turns at the row of the member, so that together they stay within `mostBytes`.
   *
   * @returns when it was stored; `conflict`: another one is stored; `full`: there is no room, and no conflict. Throws SqlError 23503 if the thing or the
   * member is gone
   */
  put(write: UnsavedWrite): Promise<Date | 'conflict' | 'full'>
  /** Marks an edit as saved, if it is the one with `changeId`. @param settledAs the new change id */
  settle(place: UnsavedPlace, changes: { changeId: string; settledAs: string }): Promise<void>
  /** Marks the edits of others as saved that have exactly this content: the save contains what they added to it. */
  settleOthers(place: UnsavedPlace, content: object): Promise<void>
}

export interface UnsavedChangesUpkeep {
  /** Deletes what nobody has written since. */
  sweep(before: Date): Promise<void>
}
