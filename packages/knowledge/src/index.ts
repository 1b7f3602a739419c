export { type Chunk, type ChunkLimits, chunksOf } from './chunks/chunks-of.ts'
export { htmlText } from './html/html-text.ts'
export { fuseRanks } from './search/fuse-ranks.ts'
export { unitVector } from './vectors/unit-vector.ts'
