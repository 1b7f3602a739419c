import type { TimelineEntry } from '@troupe/contract/builder'
import { fullTime } from '../../../core/format/times.ts'
import { versionWords as words } from '../../../core/messages/en/workflows/publish.ts'
import type { RestoredState } from './restore-dialog.tsx'

/** A comparable state of a workflow, in the format of the URL: `draft`, `3` for a version, `r12` for a revision of the draft. */
export type ComparedSide =
  | { kind: 'draft' }
  | { kind: 'version'; number: number }
  | { kind: 'revision'; revision: number }
  | { kind: 'unknown' }

const REVISION = /^r([1-9]\d{0,9})$/
const VERSION = /^[1-9]\d{0,8}$/

export function readSide(side: string): ComparedSide {
  if (side === 'draft') return { kind: 'draft' }
  const [, revision] = REVISION.exec(side) ?? []
  if (revision !== undefined) return { kind: 'revision', revision: Number(revision) }
  return VERSION.test(side) ? { kind: 'version', number: Number(side) } : { kind: 'unknown' }
}

export const sideOfRevision = (revision: number) => `r${revision}`

interface OfferedSide {
  id: string
  label: string
}

/** The comparable sides of a timeline, newest first. */
export function sidesOf(entries: readonly TimelineEntry[]): OfferedSide[] {
  const sides = entries.flatMap(({ kind, number, label, revision, at, isKept }) => {
    if (kind === 'version' && number !== null) {
      const title = words.version(number)
      return [{ id: String(number), label: label ? `${title} · ${label}` : title }]
    }
    if (revision === null || !isKept) return []
    return [{ id: sideOfRevision(revision), label: words.moment(fullTime(at)) }]
  })
  return [offered('draft'), ...new Map(sides.map((side) => [side.id, side])).values()]
}

/** The label of a side without an entry in the list. */
export function offered(id: string): OfferedSide {
  const read = readSide(id)
  switch (read.kind) {
    case 'draft':
      return { id, label: words.draft }
    case 'version':
      return { id, label: words.version(read.number) }
    case 'revision':
      return { id, label: words.revision(read.revision) }
    default:
      return { id, label: id }
  }
}

/** The state of a side that can replace the draft; null: the draft itself, or a side without an entry in the list. */
export function restorable(side: string, entries: readonly TimelineEntry[]): RestoredState | null {
  const read = readSide(side)
  if (read.kind === 'version') {
    const versionId = entries.find(({ number }) => number === read.number)?.versionId ?? null
    return versionId === null ? null : { name: words.ofVersion(read.number), versionId }
  }
  if (read.kind !== 'revision') return null
  const entry = entries.find(({ revision, isKept }) => revision === read.revision && isKept)
  return entry ? { name: words.ofMoment(fullTime(entry.at)), revision: read.revision } : null
}
