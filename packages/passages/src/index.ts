export { PassageCache } from './passage-cache.ts'
export type * from './port.ts'
export { passageSearch } from './search-passages.ts'
export { MAX_DIMS, VectorIndexes } from './vector-indexes.ts'
