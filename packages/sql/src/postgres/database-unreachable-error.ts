/**
 * No connection to the PostgreSQL server could be opened. The message is meant for the operator and holds no
 * password.
 */
export class DatabaseUnreachableError extends Error {
  override readonly name = 'DatabaseUnreachableError'
}

interface Place {
  server: string
  database: string
  user: string
}

/** SQLSTATEs with which a reachable server refuses a connection. */
const REFUSALS: Record<string, (place: Place) => string> = {
  '28P01': ({ server, user }) =>
    `PostgreSQL at ${server} refused the password of the user "${user}" (28P01). Check DATABASE_URL.`,
  '28000': ({ server, user, database }) =>
    `PostgreSQL at ${server} does not let the user "${user}" into the database "${database}" (28000). Check DATABASE_URL.`,
  '3D000': ({ server, database }) =>
    `PostgreSQL at ${server} has no database "${database}" (3D000). Create it, or change DATABASE_URL.`,
}

/** Converts a connection failure to {@link DatabaseUnreachableError}; returns any other error unchanged. */
export function explainConnectError(error: unknown, url: string): unknown {
  if (!(error instanceof Error)) return error
  const code = codeOf(error)
  const place = placeOf(url)
  const refusal = code === null ? undefined : REFUSALS[code]
  if (refusal) return new DatabaseUnreachableError(refusal(place), { cause: error })
  // System and TLS error codes (such as ECONNREFUSED), and the driver's own timeout, which has no code.
  const reason = code ?? (/timeout/i.test(error.message) ? 'timeout' : null)
  if (reason === null || /^[0-9A-Z]{5}$/.test(reason)) return error
  return new DatabaseUnreachableError(
    `PostgreSQL at ${place.server}, database "${place.database}", cannot be reached (${reason}). Start it, or check DATABASE_URL.`,
    { cause: error },
  )
}

/** A connection attempt over several addresses fails with one error per address. */
function codeOf(error: Error & { code?: unknown }): string | null {
  if (typeof error.code === 'string') return error.code
  const [first] = error instanceof AggregateError ? error.errors : []
  return first instanceof Error ? codeOf(first) : null
}

function placeOf(text: string): Place {
  const url = new URL(text)
  const user = decodeURIComponent(url.username) || 'postgres'
  return {
    server: `${url.hostname}:${url.port || '5432'}`,
    database: decodeURIComponent(url.pathname.slice(1)) || user,
    user,
  }
}
