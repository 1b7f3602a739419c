import { boolean } from '../sql/client/columns.ts'
import { type SqlDriver, SqlError } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import type { VectorSearch } from './port.ts'

/** Maximum length of vectors that an index of pgvector supports. */
export const MAX_DIMS = 4_000
/** Maximum length in single precision. */
const MAX_SINGLE_DIMS = 2_000

/**
 * The pgvector type in which vectors of a length are compared. Half precision only where it is required: the embedded
 * database computes it in software, and an insert into its index would take six times as long.
 */
export function vectorType(dims: number): string {
  return `${precision(dims)}(${dims})`
}

const precision = (dims: number) => (dims <= MAX_SINGLE_DIMS ? 'vector' : 'halfvec')

const EXTENSION = statement(
  'vector_extension',
  () => `
select exists (select from pg_extension where extname = 'vector') as installed,
  exists (select from pg_available_extensions where name = 'vector') as available`,
).returning({ installed: boolean(), available: boolean() })

/** Insufficient rights to create the extension, or another process created it or the index concurrently. */
const REFUSED = '42501'
const CREATED_MEANWHILE: ReadonlySet<string | null> = new Set(['23505', '42710', '42P07', '40P01'])

/**
 * The extension pgvector and its indexes, one for each length of vectors. They are created with the first vector,
 * because loading the extension takes time and memory that a database without vectors does not need.
 */
export class VectorIndexes {
  readonly #driver: SqlDriver
  readonly #made = new Set<number>()
  #installed = false
  #refused = false

  constructor(driver: SqlDriver) {
    this.#driver = driver
  }

  /** Whether vectors can be compared by pgvector now. */
  async installed(): Promise<boolean> {
    if (!this.#installed) this.#installed = (await this.#extension()).installed
    return this.#installed
  }

  /** The comparison of vectors, once there are any. */
  async search(): Promise<VectorSearch> {
    const { installed, available } = await this.#extension()
    return installed || (available && !this.#refused) ? 'pgvector' : 'exact'
  }

  /** Creates the index for vectors of a length if the extension is available. `dims` is at most {@link MAX_DIMS}. */
  async ensure(dims: number): Promise<void> {
    if (this.#made.has(dims) || this.#refused) return
    if ((await this.search()) === 'pgvector') await this.#make(dims)
    this.#made.add(dims)
  }

  async #make(dims: number): Promise<void> {
    const index = `create index if not exists knowledge_chunks_nearest_${dims} on knowledge_chunks
      using hnsw ((embedding::${vectorType(dims)}) ${precision(dims)}_cosine_ops) where dims = ${dims}`
    try {
      await this.#driver.script('create extension if not exists vector')
      await this.#driver.script(index)
    } catch (error) {
      if (!(error instanceof SqlError)) throw error
      if (error.code === REFUSED) this.#refused = true
      else if (!CREATED_MEANWHILE.has(error.code)) throw error
    }
  }

  async #extension(): Promise<{ installed: boolean; available: boolean }> {
    const [row] = await this.#driver.query(...EXTENSION({}))
    return row ?? { installed: false, available: false }
  }
}
