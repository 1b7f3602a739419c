import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { isStopSignal, lowerPriority, OUT_OF_TIME_SIGNAL } from '@troupe/heavy-work'
import { endOfByte } from '../child/ends.ts'
import type { DocumentFormat } from '../formats/document-format.ts'
import type { ProcessLimits } from '../formats/limits.ts'
import type { ParserProgram } from './parser-program.ts'

/** The outcome of one document. */
export type ParserEnd =
  /** `isCut`: the document continues after the text. */
  | { kind: 'text'; text: string; isCut: boolean }
  /**
   * `broken`: the parser refused the document. `password`: it is encrypted. `outdated`: Word 6 or 95. `killed`: the memory limit
   * was exceeded, or the parser crashed.
   */
  | { kind: 'unreadable'; reason: 'broken' | 'password' | 'outdated' | 'killed' | 'timeout' | 'stopped' }

/** A child process that reads one document and exits. */
export interface ParserProcess {
  /** Settles after the process has exited; never rejects. */
  end: Promise<ParserEnd>
  /** Kills the process immediately. */
  stop(): void
}

/** The document to read. */
export interface ParserInput {
  /**
   * A file descriptor positioned at the start of the file. The caller closes it once the process has been
   * started.
   */
  fileDescriptor: number
  format: DocumentFormat
  /** Maximum length of the text, in UTF-16 code units. */
  maxCharacters: number
}

/**
 * Descriptor on which the child writes the text. Its standard output is closed, because parsers print
 * warnings there.
 */
const TEXT_DESCRIPTOR = 3
/** How much longer than its CPU time a process may last. */
const BUSY_FACTOR = 6
/** UTF-8 takes at most three bytes per UTF-16 code unit. */
const BYTES_OF_CHARACTER = 3

/**
 * Starts a sandboxed process: no environment, no file access except its code and the one open file, no eval,
 * no connections, a limited heap. Its own watchdog kills it at its time or memory limit, and when the parent
 * has died.
 */
export function startParser(
  program: ParserProgram,
  { fileDescriptor, format, maxCharacters }: ParserInput,
  limits: ProcessLimits,
): ParserProcess {
  const child = spawn(
    process.execPath,
    [
      ...nodeOptions(program, limits),
      program.entry,
      format,
      program.resources,
      ...[maxCharacters, limits.memoryBytes, limits.timeoutMs, process.pid].map(String),
    ],
    {
      stdio: [fileDescriptor, 'ignore', 'ignore', 'pipe'],
      env: {},
      windowsHide: true,
    },
  )
  lowerPriority(child)
  let reason: 'timeout' | 'stopped' | null = null
  const kill = (because: 'timeout' | 'stopped') => {
    reason ??= because
    child.kill('SIGKILL')
  }
  // The process counts its own CPU time; on a machine that is busy with other work it may last longer.
  const timer = setTimeout(() => kill('timeout'), limits.timeoutMs * BUSY_FACTOR)
  const output = readOutput(child, maxCharacters * BYTES_OF_CHARACTER + 1)
  const end = signalOf(child)
    .then(async (signal): Promise<ParserEnd> => {
      if (reason !== null) return { kind: 'unreadable', reason }
      const bytes = await output
      const own = endOfByte(bytes.at(-1))
      if (own === 'whole' || own === 'cut')
        return { kind: 'text', text: bytes.toString('utf8', 0, bytes.length - 1), isCut: own === 'cut' }
      if (isStopSignal(signal)) return { kind: 'unreadable', reason: 'stopped' }
      return { kind: 'unreadable', reason: own ?? (signal === OUT_OF_TIME_SIGNAL ? 'timeout' : 'killed') }
    })
    .finally(() => clearTimeout(timer))
  return { end, stop: () => kill('stopped') }
}

function nodeOptions({ folders }: ParserProgram, { heapMegabytes }: ProcessLimits): string[] {
  return [
    '--permission',
    // For the watchdog thread; worker threads have the same permissions as the child.
    '--allow-worker',
    ...folders.map((folder) => `--allow-fs-read=${folder}`),
    '--disallow-code-generation-from-strings',
    `--max-old-space-size=${heapMegabytes}`,
    '--max-semi-space-size=4',
    '--no-warnings',
  ]
}

/** Collects the child's output and kills a child that exceeds the limit. */
async function readOutput(child: ChildProcess, maxBytes: number): Promise<Buffer> {
  const stream = child.stdio[TEXT_DESCRIPTOR] as Readable
  const chunks: Buffer[] = []
  let length = 0
  stream.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > maxBytes) child.kill('SIGKILL')
    else chunks.push(chunk)
  })
  return new Promise((resolve) => {
    // A broken pipe kills the child; its exit reports the outcome.
    stream.on('error', () => child.kill('SIGKILL'))
    stream.on('close', () => resolve(Buffer.concat(chunks)))
  })
}

/** The signal that ended the process; null when it could not be started. */
function signalOf(child: ChildProcess): Promise<NodeJS.Signals | null> {
  return new Promise((resolve) => {
    child.on('error', () => resolve(null))
    child.on('close', (_code, signal) => resolve(signal))
  })
}
