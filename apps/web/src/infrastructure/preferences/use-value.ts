import { useSyncExternalStore } from 'react'
import type { ValueStore } from '../client/value-store.ts'

/** The value of a store; re-renders the component after each change. */
export function useValue<T>(store: ValueStore<T>): T {
  return useSyncExternalStore(store.subscribe, store.get)
}
