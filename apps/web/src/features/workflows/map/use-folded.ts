import type { IdText, WorkflowId } from '@troupe/contract'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { createValueStore, type ValueStore } from '../../../infrastructure/client/value-store.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { readValue, writeValue } from '../../../infrastructure/storage/browser-database.ts'

const NONE: ReadonlySet<string> = new Set()
/** The folded Loops of the workflows opened in this page. */
const known = new Map<string, ValueStore<ReadonlySet<string>>>()

/** The Loops of a workflow that this user has folded in this browser; not part of the draft. */
export function useFolded(workflowId: IdText<WorkflowId>): {
  folded: ReadonlySet<string>
  setFolded(ids: ReadonlySet<string>): void
} {
  const { session } = usePlace()
  const key = `folded/${session.person.userId}/${workflowId}`
  const [store] = useState(() => {
    const found = known.get(key) ?? createValueStore(NONE)
    known.set(key, found)
    return found
  })
  const folded = useSyncExternalStore(store.subscribe, store.get)
  useEffect(() => {
    void readValue(key).then(
      (stored) => {
        // Folding while the storage is read is newer.
        if (store.get() === NONE && isTexts(stored)) store.set(new Set(stored))
      },
      () => undefined,
    )
  }, [key, store])
  return {
    folded,
    setFolded: (ids) => {
      store.set(ids)
      // A full or forbidden storage keeps them for this page only.
      void writeValue(key, [...ids]).catch(() => undefined)
    },
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}
