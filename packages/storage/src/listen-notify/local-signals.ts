import type { Signals } from '@troupe/durable-work'
import type { Listeners } from './listeners.ts'

/**
 * Signals within one process. Publishing does not touch the database; notifications from statements (a
 * cancel, a commit of new configuration) reach the same listeners through PGlite.
 */
export function localSignals(listeners: Listeners): Signals {
  return {
    async publish(signal) {
      listeners.tell(signal)
    },
    subscribe: (listener) => listeners.add(listener),
    async [Symbol.asyncDispose]() {
      listeners.clear()
    },
  }
}
