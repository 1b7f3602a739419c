import { createValueStore } from './value-store.ts'

/** Whether the browser has a network at all; a server that does not answer is an error of the part that asked. */
export const isOnline = createValueStore(navigator.onLine)

addEventListener('online', () => isOnline.set(true))
addEventListener('offline', () => isOnline.set(false))
