import { isSameJson } from '@troupe/editor/values/json-path'
import { type PlayedContent, type Subject, subjectKey } from './subject.ts'

/** What a playground shows: its columns, and what was saved and edited then. */
export interface PlaygroundLayout {
  /** What the address names, as it is written there. */
  addressed: string
  columns: readonly Subject[]
  hasDraft: boolean
  /** What was edited when the edit was undone, and is not typed again yet; null: it was not. */
  undone: PlayedContent | null
  /** The version that was live. */
  versionId: string
}

/**
 * The columns after a save of the edit: it is live now, and a column with what was live before becomes one of that version. After
 * an undone edit, a new version is a save of it, in another tab, only if it says the same.
 *
 * @returns null: the columns stay as they are
 */
export function columnsAfter(
  { columns, hasDraft, undone, versionId }: PlaygroundLayout,
  now: { hasDraft: boolean; versionId: string; saved: PlayedContent },
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
 * The places of those columns of an address that can be asked: two of them may be the same by now. Of those, the one that the
 * address names is kept before one that is a draft no more.
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
