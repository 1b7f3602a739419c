import { open } from 'node:fs/promises'
import type { DocumentFormat } from '../formats/document-format.ts'
import { PROCESS_LIMITS, type ProcessLimits } from '../formats/limits.ts'
import { FairQueue, type QueueLimits } from './fair-queue.ts'
import { type ParserEnd, type ParserProcess, startParser } from './parser-process.ts'

const QUEUE_LIMITS: QueueLimits = { working: 2, waiting: 100, waitingOfGroup: 20, patienceMs: 30_000 }

/** A file whose text is wanted. */
export interface DocumentToRead {
  path: string
  /** Decided by looking at the content. The parser refuses what is something else. */
  format: DocumentFormat
  /** Whoever the document belongs to, such as an organization. Groups take turns. */
  group: string
}

/** The text, cut to what is wanted and well-formed, or why there is none. */
export type DocumentText =
  | ParserEnd
  /** `too-large`: more bytes than are read into memory. `missing`: there is no file at the path. */
  | { kind: 'unreadable'; reason: 'too-large' | 'missing' }

export interface DocumentReaderOptions {
  /** Code units of UTF-16 that are kept of a text. */
  maxCharacters: number
  process?: Partial<ProcessLimits>
  queue?: Partial<QueueLimits>
}

/** Disposing ends what is being read, with `stopped`, and waits until no process is left. */
export interface DocumentReader extends AsyncDisposable {
  /** @throws DocumentsBusyError when too many documents wait, or after the reader was disposed */
  read(document: DocumentToRead): Promise<DocumentText>
}

/**
 * Reads the text of documents, each in a process of its own that ends with it: what one document does to the memory or to
 * the globals of a parser is gone before the next one comes. No process waits for work.
 */
export function createDocumentReader(options: DocumentReaderOptions): DocumentReader {
  const limits = { ...PROCESS_LIMITS, ...options.process }
  const queue = new FairQueue({ ...QUEUE_LIMITS, ...options.queue })
  const processes = new Set<ParserProcess>()
  const pending = new Set<Promise<unknown>>()
  let isDisposed = false

  async function parse({ path, format }: DocumentToRead): Promise<DocumentText> {
    await using file = await open(path).catch(() => null)
    if (file === null) return { kind: 'unreadable', reason: 'missing' }
    const { size } = await file.stat()
    if (size > limits.fileBytes) return { kind: 'unreadable', reason: 'too-large' }
    // Nobody starts after the disposal has stopped what there was.
    if (isDisposed) return { kind: 'unreadable', reason: 'stopped' }
    const parser = startParser(
      { fileDescriptor: file.fd, format, maxCharacters: options.maxCharacters },
      limits,
    )
    processes.add(parser)
    return parser.end.finally(() => processes.delete(parser))
  }

  return {
    async read(document) {
      const reading = queue.run(document.group, () => parse(document))
      pending.add(reading)
      return reading.finally(() => pending.delete(reading))
    },
    async [Symbol.asyncDispose]() {
      isDisposed = true
      queue.close()
      for (const parser of processes) parser.stop()
      await Promise.allSettled(pending)
    },
  }
}
