import type { TimelineEntry } from '@troupe/contract/builder'

/**
 * A key for each row of the timeline: users may keep the same revision in the same millisecond, with the same label.
 */
export function entryKeys(
  entries: readonly Pick<TimelineEntry, 'kind' | 'revision' | 'versionId' | 'at'>[],
): string[] {
  const counts = new Map<string, number>()
  return entries.map(({ kind, revision, versionId, at }) => {
    const key = versionId ?? `${kind} ${revision} ${at}`
    const before = counts.get(key) ?? 0
    counts.set(key, before + 1)
    return before === 0 ? key : `${key} ${before}`
  })
}
