import { messages, type PGlite, protocol } from '@electric-sql/pglite'
import { RESULT_PARSERS } from '../sql/result-values.ts'
import type { SqlValue, Statement } from '../sql/sql-client.ts'
import { BrokenDatabaseError } from './broken-database-error.ts'

const { serialize } = protocol

interface Column {
  name: string
  /** How the text of a field becomes a value. */
  parse: (text: string) => unknown
}

/** What a statement answered: fields as text, in the order of `columns`. */
export interface WireResult {
  columns: readonly Column[]
  rows: readonly (string | null)[][]
}

/** A statement that the connection knows by its name. */
interface Prepared {
  text: string
  columns: readonly Column[]
  /** On the clock of `performance.now()`. */
  since: number
}

/**
 * PostgreSQL keeps the plan of a prepared statement until statistics change, and here they never do: an embedded
 * database has no autovacuum. A plan from when a table was empty would stay when it has a million rows.
 */
const PLAN_MS = 60_000

/**
 * Statements over PostgreSQL's wire protocol, one call into the database for each. PGlite's own `query` makes six, and
 * parses and plans the statement every time: for a large one, three quarters of what it costs. Calls must not overlap;
 * the caller holds PGlite's locks.
 */
export class WireStatements {
  readonly #pglite: PGlite
  readonly #onBroken: (error: Error) => void
  readonly #prepared = new Map<string, Prepared>()

  constructor(pglite: PGlite, onBroken: (error: Error) => void = () => {}) {
    this.#pglite = pglite
    this.#onBroken = onBroken
  }

  /** Runs a statement once. Throws PGlite's `DatabaseError`. */
  run(text: string, values: readonly SqlValue[]): Promise<WireResult> {
    return this.#exchange([serialize.parse({ text }), bind('', values), DESCRIBE, EXECUTE])
  }

  /** Runs a statement that stays prepared under its name. Throws PGlite's `DatabaseError`. */
  async runNamed({ name, text }: Statement, values: readonly SqlValue[]): Promise<WireResult> {
    const known = this.#prepared.get(name)
    // Only success puts it back: whatever went wrong with a statement, its next use prepares it anew.
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

  /** For changes of the schema: PostgreSQL refuses a prepared statement whose columns have other types now. */
  forget(): void {
    this.#prepared.clear()
  }

  async #exchange(parts: readonly Uint8Array[], known: readonly Column[] = []): Promise<WireResult> {
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
    // PGlite swallows what it does not know, a crash of the WASM code too: no answer must not pass for success.
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

function bind(statement: string, values: readonly SqlValue[]): Uint8Array {
  return serialize.bind({
    statement,
    values: values.map((value) => (value === null ? null : String(value))),
  })
}

const asText = (text: string) => text

function toColumn({ name, dataTypeID }: { name: string; dataTypeID: number }): Column {
  return { name, parse: RESULT_PARSERS[dataTypeID] ?? asText }
}
