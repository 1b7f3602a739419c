import type { Signals } from '@troupe/turns'
import type { Listeners } from './listeners.ts'

/**
 * Signals inside one process. Publishing touches no database; what statements notify (a cancel, a commit of new
 * configuration) arrives at the same listeners through PGlite's own notifications.
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
