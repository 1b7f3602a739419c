import type { PGlite } from '@electric-sql/pglite'
import {
  type SqlClient,
  type SqlDriver,
  type SqlValue,
  type Statement,
  toSqlError,
} from '../client/sql-client.ts'
import { type WireResult, WireStatements } from './wire-statements.ts'

type Work = () => Promise<WireResult>

/** A client whose statements run in `exclusively`, which holds the connection's lock in the meantime. */
function clientOver(statements: WireStatements, exclusively: (work: Work) => Promise<WireResult>): SqlClient {
  const run = async (work: Work) => {
    try {
      return await exclusively(work)
    } catch (error) {
      throw toSqlError(error)
    }
  }
  return {
    async query<Row>(statement: Statement<Row>, values: readonly SqlValue[]) {
      return toObjects(await run(() => statements.runNamed(statement, values))) as Row[]
    },
    async execute(text, values) {
      return toArrays(await run(() => statements.run(text, values)))
    },
  }
}

function toArrays({ columns, rows }: WireResult): unknown[][] {
  return rows.map((row) => columns.map(({ parse }, n) => (row[n] == null ? null : parse(row[n]))))
}

function toObjects({ columns, rows }: WireResult): Record<string, unknown>[] {
  return rows.map((row) => {
    const object: Record<string, unknown> = {}
    for (const [n, { name, parse }] of columns.entries()) {
      const field = row[n]
      object[name] = field == null ? null : parse(field)
    }
    return object
  })
}

/**
 * A driver over PGlite's single connection: statements outside a transaction wait until the open transaction
 * has ended, so they neither see nor join it. It takes the same locks as PGlite's own `query`, in the same
 * order.
 */
export function pgliteDriver(pglite: PGlite, onBroken?: (error: Error) => void): SqlDriver {
  const statements = new WireStatements(pglite, onBroken)
  return {
    ...clientOver(statements, async (work) => {
      await pglite._checkReady()
      return pglite._runExclusiveTransaction(() => pglite.runExclusive(work))
    }),
    transaction: (work) =>
      pglite.transaction((tx) =>
        work(
          clientOver(statements, async (statement) => {
            if (tx.closed) throw new Error('The transaction has ended.')
            return pglite.runExclusive(statement)
          }),
        ),
      ),
    async script(text) {
      try {
        await pglite.exec(text)
      } catch (error) {
        throw toSqlError(error)
      } finally {
        statements.forget()
      }
    },
    async [Symbol.asyncDispose]() {
      if (!pglite.closed) await pglite.close()
    },
  }
}
