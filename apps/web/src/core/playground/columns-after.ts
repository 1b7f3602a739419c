import type { AnyVersionId, IdText } from '@troupe/contract'
import { isSameJson } from '@troupe/editor/values/json-path'
import { type PlayedContent, type Subject, subjectKey } from './subject.ts'

/** The state of a playground: its columns, and the saved and edited contents. */
export interface PlaygroundLayout {
  /** The names in the URL, verbatim. */
  addressed: string
  columns: readonly Subject[]
  hasDraft: boolean
  /** The edit that was undone and not retyped; null: none. */
  undone: PlayedContent | null
  /** The version that was live. */
  versionId: IdText<AnyVersionId>
}

/**
 * The columns after a save of the edit: it is live now, and a column of the previous live content becomes one of that version. After
 * an undone edit, a new version is a save of it, in another tab, only with equal content.
 *
 * @returns null: the columns are unchanged
 */
export function columnsAfter(
  { columns, hasDraft, undone, versionId }: PlaygroundLayout,
  now: { hasDraft: boolean; versionId: IdText<AnyVersionId>; saved: PlayedContent },
): readonly Subject[] | null {
  const isSaved = hasDraft ? !now.hasDraft : undone !== null && isSameContent(undone, now.saved)
  if (!isSaved || now.versionId === versionId || !columns.some(({ kind }) => kind === 'draft')) return null
  return columns.map((subject) => {
    if (subject.kind === 'draft') return { kind: 'live' }
    return subject.kind === 'live' ? { kind: 'version', versionId } : subject
  })
}

const isSameContent = (one: PlayedContent, { name, description, config }: PlayedContent) =>
  isSameJson(
    { name: one.name, description: one.description, config: one.config },
    { name, description, config },
  )

/**
 * The indexes of the usable columns of a URL: two of them may have become equal. Of those, the one named in the URL is kept, rather
 * than a previous draft.
 */
export function distinctPlaces(
  addressed: readonly (Subject | null)[],
  subjects: readonly Subject[],
): number[] {
  const keys = subjects.map(subjectKey)
  return [...new Set(keys)].map((key) => {
    const named = addressed.findIndex(
      (one, index) => one !== null && keys[index] === key && subjectKey(one) === key,
    )
    return named === -1 ? keys.indexOf(key) : named
  })
}

/** For each column, the place where its subject was before; -1: nowhere. */
export function formerPlaces(before: readonly Subject[], columns: readonly Subject[]): number[] {
  return columns.map((subject) => before.findIndex((one) => subjectKey(one) === subjectKey(subject)))
}
