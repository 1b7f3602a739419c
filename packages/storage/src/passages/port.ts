import type { KnowledgeBaseId, KnowledgeChunkId, KnowledgeDocumentId, KnowledgeSetId } from '@troupe/contract'

/** The scope of a search. */
export interface ChunkFilter {
  baseIds: readonly KnowledgeBaseId[]
  /**
   * The sets that the bases had when they were read, so that a switch during the search has no effect: old sets are
   * kept for a while. Absent: the current sets of the bases.
   */
  setIds?: readonly KnowledgeSetId[]
  /** Metadata that a document must contain. */
  filters: Record<string, unknown>
  limit: number
}

/** The chunks that have a word at least a number of times. */
export interface WordChunks {
  /** A lexeme, or a sequence of letters of a script without spaces: the SQL function `knowledge_terms`. */
  word: string
  /** The contribution to the rank of a chunk: 1 for the word, less for each repetition. */
  gain: number
  /** Whether more chunks than `ids` have it. */
  isCut: boolean
  ids: readonly string[]
}

/** A searched document. */
export interface SearchedDocument {
  id: KnowledgeDocumentId
  /** The searched reading: its chunks never change. */
  reading: number
  chunks: number
}

/** A prepared search, before any chunk is read. */
export interface AskedKnowledge {
  words: readonly AskedKnowledgeWord[]
  /** `matching` returns at most one more of each word. */
  mostChunks: number
  /** For each base, a text that is equal as long as the same readings of the same documents are searched. */
  bases: Readonly<Record<string, string>>
}

/** Chunks of a document by number; `to` is exclusive. */
export interface DocumentPart extends Pick<SearchedDocument, 'id' | 'reading'> {
  from: number
  to: number
}

/** A chunk in the form in which it is searched. */
export interface ReadChunk {
  documentId: KnowledgeDocumentId
  id: KnowledgeChunkId
  /** Hashes of its words: the upper and the lower half of each. */
  hashes: Int32Array
  /** null without an embedding model, or if not requested. */
  vector: Float32Array | null
}

/** A word of a question with its hash in each set, in decimal. */
export interface AskedKnowledgeWord extends Pick<WordChunks, 'word' | 'gain'> {
  hashes: readonly string[]
}

/** A chunk that a search found. */
export interface FoundChunk {
  id: KnowledgeChunkId
  documentId: KnowledgeDocumentId
  documentName: string
  page: number | null
  url: string | null
  text: string
}

/** The comparison of vectors: by pgvector, or by SQL over arrays, which compares all of them. */
export type VectorSearch = 'pgvector' | 'exact'

/** Searches over the newest readings of documents; each method is a separate statement or transaction. */
export interface PassageSearch {
  /** The nearest chunks by cosine similarity, nearest first. */
  nearest(filter: ChunkFilter, vector: readonly number[]): Promise<{ id: string; similarity: number }[]>
  /** The chunks with any word of the text, by word, in no particular order, and the number of searched chunks. */
  matching(
    filter: Omit<ChunkFilter, 'limit'>,
    lang: string,
    text: string,
  ): Promise<{ chunks: number; words: readonly WordChunks[] }>
  /** The terms of `matching`, without the search, and the states of the bases. */
  askedWords(
    where: { baseIds: readonly KnowledgeBaseId[]; setIds: readonly KnowledgeSetId[] },
    lang: string,
    text: string,
  ): Promise<AskedKnowledge>
  /** The searched documents of a base, and their state. */
  searchedDocuments(
    baseId: KnowledgeBaseId,
  ): Promise<{ state: string; documents: readonly SearchedDocument[] }>
  /** Chunks in the order of each document, without those of readings that are no longer searched. */
  readChunks(
    setId: KnowledgeSetId,
    parts: readonly DocumentPart[],
    withVectors: boolean,
  ): Promise<ReadChunk[]>
  /** The chunks that are still searched, in no particular order. */
  chunks(ids: readonly string[]): Promise<FoundChunk[]>
  /** How this database compares vectors. Creates nothing. */
  vectorSearch(): Promise<VectorSearch>
}
