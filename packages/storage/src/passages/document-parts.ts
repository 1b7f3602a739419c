import type { DocumentPart, SearchedDocument } from './port.ts'

/** Chunks per statement: about 10 ms in the embedded database. */
const CHUNKS_AT_ONCE = 64

/** The key of a part; its chunks never change. */
export const partKey = ({ id, reading, from }: DocumentPart) => `${id} ${reading} ${from}`

/** A document, split into parts that one read covers. */
export function partsOf({ id, reading, chunks }: SearchedDocument): DocumentPart[] {
  return Array.from({ length: Math.ceil(chunks / CHUNKS_AT_ONCE) }, (_, n) => {
    const from = n * CHUNKS_AT_ONCE
    return { id, reading, from, to: Math.min(from + CHUNKS_AT_ONCE, chunks) }
  })
}

/** Batches of parts to read at once; two parts of one document are never in the same batch. */
export function* batchesOf(parts: readonly DocumentPart[]): Generator<DocumentPart[]> {
  let batch: DocumentPart[] = []
  let chunks = 0
  for (const part of parts) {
    const length = part.to - part.from
    if (batch.length > 0 && (chunks + length > CHUNKS_AT_ONCE || batch.at(-1)?.id === part.id)) {
      yield batch
      batch = []
      chunks = 0
    }
    batch.push(part)
    chunks += length
  }
  if (batch.length > 0) yield batch
}
