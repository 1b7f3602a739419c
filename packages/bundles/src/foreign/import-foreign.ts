import { type BoundedParser, type HeavyWork, type ParserTurn, parseBounded } from '@troupe/heavy-work'
import type { Imported } from './draft/report.ts'
import { readForeign } from './read-foreign.ts'

/** Dependencies of imports. */
export interface ImportParts {
  heavy: HeavyWork
}

const PARSER: BoundedParser<{ text: string }, Imported> = {
  kind: 'import',
  parse: readForeign,
  program: new URL('./import-process.ts', import.meta.url),
}

/**
 * Reads the export of another product as a draft without blocking the event loop: see `parseBounded`. Writes nothing.
 *
 * @throws BusyError if it was not read; an unreadable file is a value
 */
export async function importForeign(turn: ParserTurn, text: string): Promise<Imported> {
  const imported = await parseBounded(PARSER, turn, { text })
  return imported ?? { ok: false, fault: 'Reading the file takes too much time or memory.' }
}
