import { open } from 'node:fs/promises'
import { BusyError, type HeavyWork } from '@troupe/heavy-work'
import type { DocumentFormat } from '../formats/document-format.ts'
import { PROCESS_LIMITS, type ProcessLimits } from '../formats/limits.ts'
import { type ParserEnd, type ParserProcess, startParser } from './parser-process.ts'
import { type ParserProgram, parserProgram } from './parser-program.ts'

const MB = 1024 * 1024

/** A file to read. */
export interface DocumentToRead {
  path: string
  /** Detected from the content. The parser refuses anything else. */
  format: DocumentFormat
  /** The organization that it belongs to, whose turn it takes. */
  owner: string
}

/** The text, truncated and well-formed, or the reason why there is none. */
export type DocumentText =
  | ParserEnd
  /**
   * `too-large`: the file exceeds the limit for reading into memory. `missing`: there is no file at the path.
   */
  | { kind: 'unreadable'; reason: 'too-large' | 'missing' }

export interface DocumentReaderOptions {
  /** Decides when a document is read. */
  heavy: HeavyWork
  /** Maximum length of a text, in UTF-16 code units. */
  maxCharacters: number
  process?: Partial<ProcessLimits>
}

/**
 * Disposing kills the running reads, with the outcome `stopped`, and waits until every process has exited.
 */
export interface DocumentReader extends AsyncDisposable {
  /** @throws BusyError when the document was not read: too much waits, or the reader was disposed */
  read(document: DocumentToRead): Promise<DocumentText>
}

/**
 * Reads each document in a separate process, so that damage to the memory or globals of a parser never
 * reaches the next document. No processes are kept idle.
 */
export function createDocumentReader(options: DocumentReaderOptions): DocumentReader {
  const limits = { ...PROCESS_LIMITS, ...options.process }
  const stopping = new AbortController()
  const processes = new Set<ParserProcess>()
  const pending = new Set<Promise<unknown>>()
  let program: ParserProgram | null = null

  async function parse({ path, format }: DocumentToRead): Promise<DocumentText> {
    await using file = await open(path).catch(() => null)
    if (file === null) return { kind: 'unreadable', reason: 'missing' }
    const { size } = await file.stat()
    if (size > limits.fileBytes) return { kind: 'unreadable', reason: 'too-large' }
    // A read that was queued must not start after disposal has stopped the running ones.
    if (stopping.signal.aborted) return { kind: 'unreadable', reason: 'stopped' }
    program ??= parserProgram()
    const parser = startParser(
      program,
      { fileDescriptor: file.fd, format, maxCharacters: options.maxCharacters },
      limits,
    )
    processes.add(parser)
    return parser.end.finally(() => processes.delete(parser))
  }

  return {
    async read(document) {
      const piece = {
        kind: 'document',
        owner: document.owner,
        memoryMb: Math.ceil(limits.memoryBytes / MB),
        signal: stopping.signal,
      } as const
      const reading = options.heavy.run(piece, () => parse(document))
      pending.add(reading)
      return reading.finally(() => pending.delete(reading))
    },
    async [Symbol.asyncDispose]() {
      stopping.abort(new BusyError('The server is stopping. Nothing was done. Please try again in a moment.'))
      for (const parser of processes) parser.stop()
      await Promise.allSettled(pending)
    },
  }
}
