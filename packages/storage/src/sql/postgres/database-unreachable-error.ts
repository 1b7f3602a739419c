import { type DatabasePlace, databasePlace } from './connection-url.ts'
import { NEEDS_SESSIONS } from './needs-sessions.ts'

/**
 * No connection to the PostgreSQL server could be opened. The message is meant for the operator and holds no
 * password.
 */
export class DatabaseUnreachableError extends Error {
  override readonly name = 'DatabaseUnreachableError'
}

/** SQLSTATEs with which a reachable server refuses a connection. */
const REFUSALS: Record<string, (place: DatabasePlace) => string> = {
  '28P01': ({ server, user }) =>
    `PostgreSQL at ${server} refused the password of the user "${user}" (28P01). Check DATABASE_URL.`,
  '28000': ({ server, user, database }) =>
    `PostgreSQL at ${server} does not let the user "${user}" into the database "${database}" (28000). Check DATABASE_URL.`,
  '3D000': ({ server, database }) =>
    `PostgreSQL at ${server} has no database "${database}" (3D000). Create it, or change DATABASE_URL.`,
  '53300': ({ server, user }) =>
    `PostgreSQL at ${server} has no connection left for the user "${user}" (53300). Raise max_connections or the limit of the user.`,
  '57P03': ({ server }) =>
    `PostgreSQL at ${server} does not accept connections yet: it is starting, stopping or recovering (57P03). Start again when it does.`,
}

/** SQLSTATEs with which a database refuses to create the tables. */
const SCHEMA_REFUSALS: Record<string, (place: DatabasePlace) => string> = {
  '3F000': ({ database }) =>
    `The database "${database}" has no schema for the tables (3F000): none of the search path exists. Create the schema, or change search_path in the options of DATABASE_URL or of the user.`,
  '42501': ({ database, user }) =>
    `The user "${user}" may not create tables in the database "${database}" (42501). As an owner: GRANT CREATE, USAGE ON SCHEMA public TO "${user}".`,
  '25006': ({ server }) =>
    `PostgreSQL at ${server} is read-only (25006), such as a replica. Name the primary server in DATABASE_URL.`,
}

/** OpenSSL codes for a certificate that is untrusted or belongs to another server. */
const CERTIFICATE = /CERT|UNABLE_TO_VERIFY|ERR_TLS/

/**
 * Converts a refusal of the first statements after a start to {@link DatabaseUnreachableError}; returns any other error
 * unchanged.
 */
export function explainSchemaError(error: unknown, url: string): unknown {
  const code = error instanceof Error ? codeOf(error) : null
  const refusal = code === null ? undefined : SCHEMA_REFUSALS[code]
  if (refusal) return new DatabaseUnreachableError(refusal(databasePlace(url)), { cause: error })
  return explainConnectError(error, url)
}

/** Converts a connection failure to {@link DatabaseUnreachableError}; returns any other error unchanged. */
export function explainConnectError(error: unknown, url: string): unknown {
  if (!(error instanceof Error)) return error
  const code = codeOf(error)
  const place = databasePlace(url)
  const refusal = code === null ? undefined : REFUSALS[code]
  if (refusal) return new DatabaseUnreachableError(refusal(place), { cause: error })
  // PgBouncer refuses connection parameters that it cannot track per client.
  if (/unsupported startup parameter|statement pooling mode/i.test(error.message)) {
    return new DatabaseUnreachableError(`${NEEDS_SESSIONS} (${error.message.slice(0, 200)})`, {
      cause: error,
    })
  }
  if (/does not support SSL/i.test(error.message)) {
    return new DatabaseUnreachableError(
      `PostgreSQL at ${place.server} does not support TLS, which sslmode in DATABASE_URL requires. Enable ssl there, or remove sslmode.`,
      { cause: error },
    )
  }
  if (code !== null && CERTIFICATE.test(code)) {
    return new DatabaseUnreachableError(
      `The certificate of PostgreSQL at ${place.server} cannot be verified (${code}). Set sslrootcert in DATABASE_URL to the file of its certificate authority, or set sslmode=no-verify to connect without verification.`,
      { cause: error },
    )
  }
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
