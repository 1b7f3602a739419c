import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Runs one SQL statement with `psql`, outside any transaction. Throws with the server's message. */
export async function runStatement(psql: string, url: string, statement: string): Promise<void> {
  await run(psql, [
    '--no-psqlrc',
    '--quiet',
    '--set=ON_ERROR_STOP=1',
    '--dbname',
    url,
    '--command',
    statement,
  ])
}

/** The same server, another database. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}
