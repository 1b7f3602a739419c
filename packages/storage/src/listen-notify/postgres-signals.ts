import type { Signal, Signals } from '@troupe/durable-work'
import type { SqlClient } from '../sql/client/sql-client.ts'
import type { Listeners } from './listeners.ts'
import { notify } from './notify.ts'

/**
 * Signals over `NOTIFY`. Signals published while a notification is under way are sent together in the next
 * one: a hundred streams that flush their logs concurrently cost a few round trips, not a hundred.
 */
export function postgresSignals(client: SqlClient, listeners: Listeners): Signals {
  let waiting: Signal[] = []
  let next: Promise<void> | null = null
  let current: Promise<void> = Promise.resolve()
  const send = async () => {
    const batch = waiting
    waiting = []
    next = null
    await notify(client, batch)
  }
  return {
    publish(signal) {
      waiting.push(signal)
      if (!next) {
        next = current.then(send, send)
        current = next.catch(() => {})
      }
      return next
    },
    subscribe: (listener) => listeners.add(listener),
    async [Symbol.asyncDispose]() {
      await current
      listeners.clear()
    },
  }
}
