import type { PGlite, Transaction } from '@electric-sql/pglite'
import { RESULT_PARSERS } from '../sql/result-values.ts'
import { type SqlClient, type SqlDriver, toSqlError } from '../sql/sql-client.ts'

type Queryable = Pick<PGlite | Transaction, 'query'>

const options = { parsers: { ...RESULT_PARSERS } }
const arrays = { ...options, rowMode: 'array' as const }

function clientOver(target: Queryable): SqlClient {
  return {
    async query<Row>(statement: { text: string }, values: readonly unknown[]) {
      try {
        return (await target.query<Row>(statement.text, [...values], options)).rows as Row[]
      } catch (error) {
        throw toSqlError(error)
      }
    },
    async execute(text, values) {
      try {
        return (await target.query<unknown[]>(text, [...values], arrays)).rows as unknown[][]
      } catch (error) {
        throw toSqlError(error)
      }
    },
  }
}

/**
 * A driver over PGlite. It has one connection: statements outside a transaction wait until the transaction that is open
 * has ended, so they neither see nor join it.
 */
export function pgliteDriver(pglite: PGlite): SqlDriver {
  return {
    ...clientOver(pglite),
    transaction: (work) => pglite.transaction((tx) => work(clientOver(tx))),
    async script(text) {
      try {
        await pglite.exec(text)
      } catch (error) {
        throw toSqlError(error)
      }
    },
    async [Symbol.asyncDispose]() {
      if (!pglite.closed) await pglite.close()
    },
  }
}
