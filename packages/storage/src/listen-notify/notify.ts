import type { Signal } from '@troupe/durable-work'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import { CHANNEL } from './listeners.ts'

const NOTIFY = statement<'payloads'>(
  'notify',
  (p) => `select pg_notify('${CHANNEL}', payload) from json_array_elements_text(${p.payloads}::json) payload`,
)

/** Notifies every process; inside a transaction, when it commits (and never if it does not). */
export async function notify(client: SqlClient, signals: readonly Signal[]): Promise<void> {
  await client.query(...NOTIFY({ payloads: JSON.stringify(signals.map((signal) => JSON.stringify(signal))) }))
}
