import { type BoundedParser, type ParserTurn, parseBounded } from '@troupe/heavy-work'
import { type DocumentSource, type ReadOperations, readOperations, unreadable } from './read-operations.ts'

const PARSER: BoundedParser<DocumentSource, ReadOperations> = {
  kind: 'openapi',
  parse: readOperations,
  program: new URL('./openapi-process.ts', import.meta.url),
}

/**
 * Reads a document without blocking the event loop: see `parseBounded`.
 *
 * @throws BusyError if it was not read, which says nothing about the document
 */
export async function readBoundedDocument(turn: ParserTurn, source: DocumentSource): Promise<ReadOperations> {
  const read = await parseBounded(PARSER, turn, source)
  return read ?? unreadable('Reading the document takes too much time or memory.')
}
