import type { Subject } from './subject.ts'

/** What a playground shows: its columns, and what was saved and edited then. */
export interface PlaygroundLayout {
  columns: readonly Subject[]
  hasDraft: boolean
  /** The version that was live. */
  versionId: string
}

/**
 * What becomes of the columns when the edit is none any more. A saved one is live now, so a column with what was live before
 * becomes one of that version; one that was given up takes its column with it when what is live has a column of its own.
 *
 * @returns the subject of each former column, null for one that is gone; null: the columns stay as they are
 */
export function columnsAfter(
  { columns, hasDraft, versionId }: PlaygroundLayout,
  now: Omit<PlaygroundLayout, 'columns'>,
): readonly (Subject | null)[] | null {
  if (!hasDraft || now.hasDraft || !columns.some(({ kind }) => kind === 'draft')) return null
  const isSaved = now.versionId !== versionId
  const hasLive = columns.some(({ kind }) => kind === 'live')
  return columns.map((subject) => {
    if (subject.kind === 'draft') return isSaved || !hasLive ? { kind: 'live' } : null
    if (subject.kind === 'live' && isSaved) return { kind: 'version', versionId }
    return subject
  })
}
