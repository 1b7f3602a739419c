import { AsyncLocalStorage } from 'node:async_hooks'
import type { SqlClient, SqlDriver, SqlValue, Statement } from './sql-client.ts'

/**
 * A driver that rejects calls from inside one of its own transactions. On PGlite's single connection such a
 * call would deadlock; on a pool it would read outside the transaction, and deadlock under load. Work that
 * outlives the transaction that started it may use the driver again. The driver also refuses to commit a
 * transaction in which a statement failed: PostgreSQL would answer COMMIT with a silent rollback.
 */
export function guardNestedUse(driver: SqlDriver): SqlDriver {
  const current = new AsyncLocalStorage<{ open: boolean }>()
  const check = () => {
    if (current.getStore()?.open) {
      throw new Error(
        'Inside a transaction, use only its readers and writers: other statements would wait for its end.',
      )
    }
  }
  return {
    async query<Row>(statement: Statement<Row>, values: readonly SqlValue[]) {
      check()
      return driver.query(statement, values)
    },
    async execute(text, values) {
      check()
      return driver.execute(text, values)
    },
    async script(text) {
      check()
      return driver.script(text)
    },
    async transaction(work) {
      check()
      const state = { open: true }
      try {
        return await driver.transaction((client) => current.run(state, () => completely(client, work)))
      } finally {
        state.open = false
      }
    },
    [Symbol.asyncDispose]: () => driver[Symbol.asyncDispose](),
  }
}

async function completely<T>(client: SqlClient, work: (client: SqlClient) => Promise<T>): Promise<T> {
  const failures: unknown[] = []
  const watch = async <R>(result: Promise<R>): Promise<R> => {
    try {
      return await result
    } catch (error) {
      failures.push(error)
      throw error
    }
  }
  const result = await work({
    query: (statement, values) => watch(client.query(statement, values)),
    execute: (text, values) => watch(client.execute(text, values)),
  })
  if (failures.length > 0) throw failures[0]
  return result
}
