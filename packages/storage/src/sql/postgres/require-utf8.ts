import type { Client } from 'pg'
import { databasePlace } from './connection-url.ts'
import { DatabaseUnreachableError } from './database-unreachable-error.ts'

/**
 * Refuses a database whose encoding lacks letters, such as the one that `initdb --locale=C` chooses.
 *
 * @throws DatabaseUnreachableError
 */
export async function requireUtf8(client: Client, url: string): Promise<void> {
  const { rows } = await client.query<{ encoding: string }>(
    `select current_setting('server_encoding') as encoding`,
  )
  const encoding = rows[0]?.encoding
  if (encoding === 'UTF8') return
  const { database } = databasePlace(url)
  throw new DatabaseUnreachableError(
    `The database "${database}" has the encoding ${encoding}, which cannot store every text. Create one with: CREATE DATABASE name ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0; any other locale with UTF-8 works too.`,
  )
}
