export { type Chunk, type ChunkLimits, chunksOf } from './chunks/chunks-of.ts'
export { estimatedTokens } from './chunks/estimated-tokens.ts'
export { fuseRanks } from './search/fuse-ranks.ts'
export { unitVector } from './vectors/unit-vector.ts'
