import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { REPLICA_LOCK } from '../client/advisory-locks.ts'
import { DatabaseInUseError } from '../client/database-in-use-error.ts'

const RETRY_MS = 250

/**
 * Takes the lock that controls access to the database: exclusive without replicas, shared with them. The lock
 * is tied to the connection. Retries for `patienceMs`, because the connection of a killed predecessor may
 * linger.
 */
export async function takeReplicaLock(client: Client, replicas: boolean, patienceMs: number): Promise<void> {
  const lock = replicas ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock'
  const giveUpAt = Date.now() + patienceMs
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>(`select ${lock}(${REPLICA_LOCK}) as taken`)
    if (rows[0]?.taken) return
    if (Date.now() + RETRY_MS > giveUpAt) break
    await pause(RETRY_MS)
  }
  throw new DatabaseInUseError(
    replicas
      ? 'Another Troupe process uses this database alone. Start it with REDIS_URL and RESTATE_INGRESS_URL too, or stop it: every replica needs both.'
      : 'Another Troupe process uses this database. More than one replica needs REDIS_URL and RESTATE_INGRESS_URL: set both for all of them, or stop the other process.',
  )
}
