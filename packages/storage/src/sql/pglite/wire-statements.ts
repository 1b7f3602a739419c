import { messages, type PGlite, protocol } from '@electric-sql/pglite'
import { RESULT_PARSERS } from '../client/result-values.ts'
import type { SqlValue, Statement } from '../client/sql-client.ts'
import { bind } from './bind-message.ts'
import { BrokenDatabaseError } from './broken-database-error.ts'
import { EventLoopTurns } from './event-loop-turns.ts'

const { serialize } = protocol

interface Column {
  name: string
  /** Parses the text of a field into a value. */
  parse: (text: string) => unknown
}

/** The result of a statement: fields as text, in the order of `columns`. */
export interface WireResult {
  columns: readonly Column[]
  rows: readonly (string | null)[][]
}

/** A statement that is prepared on the connection under its name. */
interface Prepared {
  text: string
  columns: readonly Column[]
  /** On the clock of `performance.now()`. */
  since: number
}

/**
 * Milliseconds for which a prepared statement is reused. PostgreSQL keeps its plan until statistics change,
 * which never happens in an embedded database without autovacuum: a plan made for an empty table would still
 * be used at a million rows.
 */
const PLAN_MS = 60_000

/**
 * Statements over PostgreSQL's wire protocol, one call into the database each. PGlite's own `query` makes
 * six, and parses and plans the statement every time: for a large one, three quarters of its cost. Calls must
 * not overlap; the caller holds PGlite's locks.
 */
export class WireStatements {
  readonly #pglite: PGlite
  readonly #onBroken: (error: Error) => void
  readonly #prepared = new Map<string, Prepared>()
  readonly #turns = new EventLoopTurns()

  constructor(pglite: PGlite, onBroken: (error: Error) => void = () => {}) {
    this.#pglite = pglite
    this.#onBroken = onBroken
  }

  /** Runs a statement once. Throws PGlite's `DatabaseError`. */
  run(text: string, values: readonly SqlValue[]): Promise<WireResult> {
    return this.#exchange([serialize.parse({ text }), bind('', values), DESCRIBE, EXECUTE])
  }

  /** Runs a statement that stays prepared under its name. Throws PGlite's `DatabaseError`. */
  async runNamed({ name, text }: Statement<unknown>, values: readonly SqlValue[]): Promise<WireResult> {
    const known = this.#prepared.get(name)
    // Only success restores it: after any failure the next use prepares the statement again.
    this.#prepared.delete(name)
    const now = performance.now()
    if (known?.text === text && now - known.since < PLAN_MS) {
      const result = await this.#exchange([bind(name, values), EXECUTE], known.columns)
      this.#prepared.set(name, known)
      return result
    }
    const result = await this.#exchange([
      serialize.close({ type: 'S', name }),
      serialize.parse({ name, text }),
      bind(name, values),
      DESCRIBE,
      EXECUTE,
    ])
    this.#prepared.set(name, { text, columns: result.columns, since: now })
    return result
  }

  /** For schema changes: PostgreSQL refuses a prepared statement whose column types have changed. */
  forget(): void {
    this.#prepared.clear()
  }

  async #exchange(parts: readonly Uint8Array[], known: readonly Column[] = []): Promise<WireResult> {
    await this.#turns.beforeStatement()
    // After an error the server skips everything up to the Sync, which also ends the statement's own transaction.
    const answer = await this.#pglite.execProtocolStream(Buffer.concat([...parts, SYNC]), {
      throwOnError: false,
    })
    let columns = known
    let complete = false
    const rows: (string | null)[][] = []
    for (const message of answer) {
      if (message instanceof messages.DatabaseError) throw message
      if (message instanceof messages.RowDescriptionMessage) columns = message.fields.map(toColumn)
      else if (message instanceof messages.DataRowMessage) rows.push(message.fields)
      else if (COMPLETE.has(message.name)) complete = true
    }
    // PGlite swallows messages that it does not know, and also a crash of the WASM code: a missing answer
    // must not count as success.
    if (!complete) {
      const broken = new BrokenDatabaseError()
      this.#onBroken(broken)
      throw broken
    }
    return { columns, rows }
  }
}

const DESCRIBE = serialize.describe({ type: 'P' })
const EXECUTE = serialize.execute()
const SYNC = serialize.sync()
const COMPLETE: ReadonlySet<string> = new Set(['commandComplete', 'emptyQuery'])

const asText = (text: string) => text

function toColumn({ name, dataTypeID }: { name: string; dataTypeID: number }): Column {
  return { name, parse: RESULT_PARSERS[dataTypeID] ?? asText }
}
