import { useEffect, useState, useSyncExternalStore } from 'react'
import { keysBelow } from '../storage/browser-database.ts'
import { tailsBelow } from '../storage/page-tail.ts'
import { uncommittedPlaces } from './uncommitted-drafts.ts'
import { putBacks, readKeptDraft, usePlaceOf } from './use-draft.ts'

const NONE: ReadonlyMap<string, unknown> = new Map()

/**
 * This user's unsent input below a key, by the rest of its key. It is read on mount, whenever `moment` changes, and when an edit
 * was restored; use `useDraft` for a live edit.
 */
export function useDraftsBelow(key: string, moment: string): ReadonlyMap<string, unknown> {
  const prefix = usePlaceOf()(key)
  const [found, setFound] = useState(NONE)
  const times = useSyncExternalStore(putBacks.subscribe, putBacks.get)
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads again when the moment or the times change
  useEffect(() => {
    let isCurrent = true
    void readBelow(prefix).then((edits) => {
      if (isCurrent) setFound(edits)
    })
    return () => {
      isCurrent = false
    }
  }, [prefix, moment, times])
  return found
}

async function readBelow(prefix: string): Promise<ReadonlyMap<string, unknown>> {
  const stored = await keysBelow(prefix).catch(() => [])
  const places = new Set([...stored, ...tailsBelow(prefix), ...uncommittedPlaces(prefix)])
  const edits = await Promise.all(
    [...places].map(
      async (place) => [place.slice(prefix.length), (await readKeptDraft(place))?.value] as const,
    ),
  )
  return new Map(edits.filter(([, value]) => value !== undefined))
}
