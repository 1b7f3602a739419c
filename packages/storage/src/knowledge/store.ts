import { passageSearch } from '../passages/search-passages.ts'
import { VectorIndexes } from '../passages/vector-indexes.ts'
import type { SqlDriver } from '../sql/client/sql-client.ts'
import { ingestStore } from './ingest.ts'
import type { KnowledgeStore } from './port.ts'
import { rebuildStore } from './rebuild.ts'

/** Ingest and search of knowledge, outside any transaction of the caller. */
export function knowledgeStore(driver: SqlDriver, kind: 'pglite' | 'postgres'): KnowledgeStore {
  const indexes = new VectorIndexes(driver)
  return {
    ...ingestStore(driver, indexes),
    ...rebuildStore(driver, indexes),
    ...passageSearch(driver, indexes, kind),
  }
}
