import type { SqlDriver } from '@troupe/sql'
import type { Database } from '../database.ts'
import { ingestStore } from './ingest.ts'
import type { KnowledgeStore } from './port.ts'
import { rebuildStore } from './rebuild.ts'
import { searchStore } from './search.ts'
import { VectorIndexes } from './vector-indexes.ts'

/** Ingest and search of knowledge, outside any transaction of the caller. */
export function knowledgeStore(driver: SqlDriver, kind: Database['kind']): KnowledgeStore {
  const indexes = new VectorIndexes(driver)
  return {
    ...ingestStore(driver, indexes),
    ...rebuildStore(driver, indexes),
    ...searchStore(driver, indexes, kind),
  }
}
