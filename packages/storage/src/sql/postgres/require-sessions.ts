import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { connectionUrl } from './connection-url.ts'
import { DatabaseUnreachableError } from './database-unreachable-error.ts'
import { NEEDS_SESSIONS } from './needs-sessions.ts'

/**
 * Refuses a pooler in transaction mode. A value set for the session of `client` must persist, and a second connection
 * must not see it, even while that one has a transaction open: such a pooler would give the session's connection to the
 * second client, or another connection to the first.
 *
 * @throws DatabaseUnreachableError
 */
export async function requireSessions(client: Client, url: string): Promise<void> {
  const token = randomUUID()
  await client.query(`select set_config('troupe.session', $1, false)`, [token])
  const other = new Client({
    connectionString: connectionUrl(url),
    connectionTimeoutMillis: 10_000,
    application_name: 'troupe',
  })
  // An error of a connection that breaks later is reported by the running query.
  other.on('error', () => {})
  try {
    await other.connect()
    await other.query('begin')
    if ((await sessionToken(other)) === token) throw new DatabaseUnreachableError(NEEDS_SESSIONS)
    if ((await sessionToken(client)) !== token) throw new DatabaseUnreachableError(NEEDS_SESSIONS)
    await other.query('rollback')
  } finally {
    await other.end().catch(() => {})
  }
}

async function sessionToken(client: Client): Promise<string | null> {
  const { rows } = await client.query<{ token: string | null }>(
    `select current_setting('troupe.session', true) as token`,
  )
  return rows[0]?.token ?? null
}
