export { type Chunk, type ChunkLimits, chunksOf } from './chunks/chunks-of.ts'
export { htmlText } from './html/html-text.ts'
export { answeredChange, foundMemories, memoryChange } from './memories/memory-change.ts'
export { fuseRanks } from './search/fuse-ranks.ts'
export { NearestVectors, type PassageVectors } from './search/nearest-vectors.ts'
export {
  type AskedWord,
  bytesOfWords,
  type PassageWords,
  passageWords,
  WordSearch,
} from './search/passage-words.ts'
export { rankByWords, type WordEntries } from './search/rank-by-words.ts'
export { unitVector } from './vectors/unit-vector.ts'
