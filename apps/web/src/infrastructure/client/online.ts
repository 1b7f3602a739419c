import { createValueStore } from './value-store.ts'

/** Whether the browser has a network at all; an unresponsive server is an error of the requesting part. */
export const isOnline = createValueStore(navigator.onLine)

addEventListener('online', () => isOnline.set(true))
addEventListener('offline', () => isOnline.set(false))
