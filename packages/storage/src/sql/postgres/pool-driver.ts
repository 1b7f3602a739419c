import { types as defaultTypes, Pool, type PoolClient } from 'pg'
import { RESULT_PARSERS } from '../client/result-values.ts'
import {
  type SqlClient,
  type SqlDriver,
  type SqlValue,
  type Statement,
  toSqlError,
} from '../client/sql-client.ts'
import { connectionUrl } from './connection-url.ts'

type Queryable = Pick<Pool | PoolClient, 'query'>

const text = (value: string) => value
const types = {
  getTypeParser: (id: number) => RESULT_PARSERS[id] ?? text,
  builtins: defaultTypes.builtins,
  setTypeParser: defaultTypes.setTypeParser,
}

function clientOver(target: Queryable): SqlClient {
  return {
    async query<Row>({ name, text }: Statement<Row>, values: readonly SqlValue[]) {
      try {
        const result = await target.query({ name, text, values: [...values], types })
        return result.rows as Row[]
      } catch (error) {
        throw toSqlError(error)
      }
    },
    async execute(sql, values) {
      try {
        const { rows } = await target.query<unknown[]>({
          text: sql,
          values: [...values],
          types,
          rowMode: 'array',
        })
        return rows
      } catch (error) {
        throw toSqlError(error)
      }
    },
  }
}

/** Runs statements sequentially: a connection runs one at a time, and `pg` deprecates its own queue. */
function serialised(client: SqlClient): SqlClient {
  let last: Promise<unknown> = Promise.resolve()
  const after = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work, work)
    last = result.catch(() => {})
    return result
  }
  return {
    query: (statement, values) => after(() => client.query(statement, values)),
    execute: (sql, values) => after(() => client.execute(sql, values)),
  }
}

/**
 * Milliseconds that one statement may take, waits for locks included, by the kind of work. A request gives up before
 * its caller does (30 s); a migration has no limit.
 */
export const STATEMENT_MS = { request: 10_000, duty: 10 * 60_000, migration: null } as const
/** Milliseconds after which a server that no longer enforces timeouts counts as unreachable. */
const SILENCE_MS = 5_000
/** Milliseconds for which an open transaction of an idle process may hold its locks. */
const IDLE_TRANSACTION_MS = 60_000

/** Called by a pool when an idle connection breaks. */
export type OnConnectionError = (error: Error) => void

/** A pool of connections. */
export interface PoolOptions {
  url: string
  size: number
  onError: OnConnectionError
  /** Timeout of a statement; null: none. The limit of requests by default. */
  statementMs?: number | null
}

/** A driver over a pool of connections to a PostgreSQL server. Connects lazily. */
export function openPool({ statementMs = STATEMENT_MS.request, ...options }: PoolOptions): SqlDriver {
  const pool = new Pool({
    connectionString: connectionUrl(options.url),
    max: options.size,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    application_name: 'troupe',
    ...(statementMs === null
      ? {}
      : { statement_timeout: statementMs, query_timeout: statementMs + SILENCE_MS }),
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
  })
  // Without a listener, an idle connection that breaks (server restart) would end the process.
  pool.on('error', options.onError)
  return {
    ...clientOver(pool),
    async transaction(work) {
      const connection = await pool.connect().catch((error) => {
        throw toSqlError(error)
      })
      const client = serialised(clientOver(connection))
      let broken = false
      // The pool listens to idle connections only; one that breaks between two statements would end the process.
      connection.on('error', options.onError)
      try {
        await connection.query('begin').catch((error) => {
          throw toSqlError(error)
        })
        const result = await work(client)
        await connection.query('commit').catch((error) => {
          throw toSqlError(error)
        })
        return result
      } catch (error) {
        // A connection that cannot roll back is discarded; the server rolls back when it closes.
        await connection.query('rollback').catch(() => {
          broken = true
        })
        throw error
      } finally {
        connection.off('error', options.onError)
        connection.release(broken)
      }
    },
    async script(sql) {
      try {
        await pool.query(sql)
      } catch (error) {
        throw toSqlError(error)
      }
    },
    [Symbol.asyncDispose]: () => pool.end(),
  }
}
