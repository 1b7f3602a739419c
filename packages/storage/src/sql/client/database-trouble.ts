import { SqlError } from './sql-client.ts'

/** Why a valid statement could not run now. */
export type DatabaseTrouble =
  /** The disk of the database is full. */
  | 'storage_full'
  /** The database cannot be reached, is starting or stopping, or has run out of connections or time. */
  | 'away'
  /** A page of a table or an index cannot be read. */
  | 'damaged'

const DEEPEST_CAUSE = 5
const FULL_CODES = new Set(['53100', 'ENOSPC', 'EDQUOT'])
const AWAY_CODES =
  /^(?:08...|53300|57014|57P0[1-5]|ECONN\w+|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EPIPE|ETIMEDOUT|EAI_AGAIN)$/
/** Errors that `pg` throws without a code. */
const AWAY_TEXTS =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Query read timeout)/
/** `data_corrupted` and `index_corrupted`. */
const DAMAGED_CODES = new Set(['XX001', 'XX002'])
const FULL_TEXTS = /no space left on device|could not extend file/i

/**
 * The trouble behind an error from a reader or a writer; null for any other error. A full disk is also recognised when
 * a file could not be written; a broken connection only below a {@link SqlError}, because a model provider or a mail
 * server may also be unreachable.
 */
export function databaseTrouble(error: unknown): DatabaseTrouble | null {
  let at = error
  let isSql = false
  for (let depth = 0; at instanceof Error && depth < DEEPEST_CAUSE; depth++) {
    isSql ||= at instanceof SqlError
    const code = 'code' in at && typeof at.code === 'string' ? at.code : ''
    if (FULL_CODES.has(code)) return 'storage_full'
    if (isSql && FULL_TEXTS.test(at.message)) return 'storage_full'
    if (isSql && (AWAY_CODES.test(code) || AWAY_TEXTS.test(at.message))) return 'away'
    if (isSql && DAMAGED_CODES.has(code)) return 'damaged'
    at = at instanceof AggregateError ? at.errors[0] : at.cause
  }
  return null
}
