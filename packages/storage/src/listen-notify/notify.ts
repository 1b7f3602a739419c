import type { Signal } from '@troupe/durable-work'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { CHANNEL } from './listeners.ts'

const NOTIFY = {
  name: 'notify',
  text: `select pg_notify('${CHANNEL}', payload) from json_array_elements_text($1::json) payload`,
}

/** Notifies every process; inside a transaction, when it commits (and never if it does not). */
export async function notify(client: SqlClient, signals: readonly Signal[]): Promise<void> {
  await client.query(NOTIFY, [JSON.stringify(signals.map((signal) => JSON.stringify(signal)))])
}
