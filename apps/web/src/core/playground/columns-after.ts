import { type Subject, subjectKey } from './subject.ts'

/** What a playground shows: its columns, and what was saved and edited then. */
export interface PlaygroundLayout {
  /** What the address names, as it is written there. */
  addressed: string
  columns: readonly Subject[]
  hasDraft: boolean
  /** The version that was live. */
  versionId: string
}

/**
 * The columns after a save of the edit: it is live now, and a column with what was live before becomes one of that version.
 *
 * @returns null: the columns stay as they are
 */
export function columnsAfter(
  { columns, hasDraft, versionId }: PlaygroundLayout,
  now: Pick<PlaygroundLayout, 'hasDraft' | 'versionId'>,
): readonly Subject[] | null {
  const isSaved = hasDraft && !now.hasDraft && now.versionId !== versionId
  if (!isSaved || !columns.some(({ kind }) => kind === 'draft')) return null
  return columns.map((subject) => {
    if (subject.kind === 'draft') return { kind: 'live' }
    return subject.kind === 'live' ? { kind: 'version', versionId } : subject
  })
}

/** For each column, the place where its subject was before; -1: nowhere. */
export function formerPlaces(before: readonly Subject[], columns: readonly Subject[]): number[] {
  return columns.map((subject) => before.findIndex((one) => subjectKey(one) === subjectKey(subject)))
}
