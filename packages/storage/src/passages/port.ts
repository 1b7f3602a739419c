import type { KnowledgeBaseId, KnowledgeDocumentId } from '@troupe/contract'

/** Where to search. */
export interface ChunkFilter {
  baseIds: readonly KnowledgeBaseId[]
  /**
   * The sets that the bases had when they were read, so that a switch meanwhile changes nothing: old sets are kept for a
   * while. Absent: the sets that the bases have now.
   */
  setIds?: readonly string[]
  /** Metadata that a document must contain. */
  filters: Record<string, unknown>
  limit: number
}

/** The chunks that have a word at least a number of times. */
export interface WordChunks {
  /** A lexeme, or a sequence of letters of a script without spaces: the SQL function `knowledge_terms`. */
  word: string
  /** What this adds to the rank of a chunk: 1 for having the word, less for each repetition. */
  gain: number
  /** Whether more chunks have it than `ids`. */
  isCut: boolean
  ids: readonly string[]
}

/** A document that is searched. */
export interface SearchedDocument {
  id: string
  /** The one that is searched: its chunks never change. */
  reading: number
  chunks: number
}

/** A question to bases, of which nothing has been read yet. */
export interface AskedKnowledge {
  words: readonly AskedKnowledgeWord[]
  /** `matching` returns at most one more of each word. */
  mostChunks: number
  /** Of each base a text that is the same as long as the same readings of the same documents are searched. */
  bases: Readonly<Record<string, string>>
}

/** Chunks of a document by their numbers; `to` is not among them. */
export interface DocumentPart extends Pick<SearchedDocument, 'id' | 'reading'> {
  from: number
  to: number
}

/** A chunk as it is searched. */
export interface ReadChunk {
  documentId: string
  id: string
  /** Of its words: the upper and the lower half of each. */
  hashes: Int32Array
  /** null without an embedding model, and when it was not asked for. */
  vector: Float32Array | null
}

/** A word of a question with its hash in each set, in decimal. */
export interface AskedKnowledgeWord extends Pick<WordChunks, 'word' | 'gain'> {
  hashes: readonly string[]
}

/** A chunk as it is found. */
export interface FoundChunk {
  id: string
  documentId: KnowledgeDocumentId
  documentName: string
  page: number | null
  url: string | null
  text: string
}

/** How vectors are compared: by pgvector, or by SQL over arrays, which compares all of them. */
export type VectorSearch = 'pgvector' | 'exact'

/** Searches over the passages of documents as they were read last; each method is a statement or transaction of its own. */
export interface PassageSearch {
  /** The nearest chunks by cosine similarity, nearest first. */
  nearest(filter: ChunkFilter, vector: readonly number[]): Promise<{ id: string; similarity: number }[]>
  /**
   * The chunks that have any word of the text, by words in no particular order, and the number of all
   * chunks that were searched.
   */
  matching(
    filter: Omit<ChunkFilter, 'limit'>,
    lang: string,
    text: string,
  ): Promise<{ chunks: number; words: readonly WordChunks[] }>
  /** What `matching` would look for, without looking for it, and the states of the bases. */
  askedWords(
    where: { baseIds: readonly KnowledgeBaseId[]; setIds: readonly string[] },
    lang: string,
    text: string,
  ): Promise<AskedKnowledge>
  /** The documents of a base that are searched, and their state. */
  searchedDocuments(
    baseId: KnowledgeBaseId,
  ): Promise<{ state: string; documents: readonly SearchedDocument[] }>
  /** Chunks in the order of each document, without those of readings that are no longer searched. */
  readChunks(setId: string, parts: readonly DocumentPart[], withVectors: boolean): Promise<ReadChunk[]>
  /** Those of the chunks that are still searched, in no particular order. */
  chunks(ids: readonly string[]): Promise<FoundChunk[]>
  /** How this database compares vectors. Creates nothing. */
  vectorSearch(): Promise<VectorSearch>
}
