import { type ChildProcess, spawn } from 'node:child_process'
import { dirname, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { DocumentFormat } from '../formats/document-format.ts'
import type { ProcessLimits } from '../formats/limits.ts'

/** What became of a document. */
export type ParserEnd =
  | { kind: 'text'; text: string }
  /** `broken`: the parser refused it. `killed`: it took too much memory, or the parser crashed. */
  | { kind: 'unreadable'; reason: 'broken' | 'killed' | 'timeout' | 'stopped' }

/** A process that reads one document and ends. */
export interface ParserProcess {
  /** Settles after the process is gone; never rejects. */
  end: Promise<ParserEnd>
  /** Ends it at once. */
  stop(): void
}

/** What it reads. */
export interface ParserInput {
  /** An open file that stands at its beginning. The caller closes it, as soon as the process has been started. */
  fileDescriptor: number
  format: DocumentFormat
  /** Code units of UTF-16 that are wanted of the text. */
  maxCharacters: number
}

/** Descriptor of the child to which the text goes. Its standard output is closed: parsers print warnings there. */
const TEXT_DESCRIPTOR = 3
/** UTF-8 takes at most three bytes for a code unit of UTF-16. */
const BYTES_OF_CHARACTER = 3

const CHILD = fileURLToPath(new URL('../child/main.ts', import.meta.url))
const LIBRARIES = ['unpdf', 'mammoth', 'word-extractor', '@e965/xlsx', 'yauzl']

/**
 * Starts a process that holds nothing: no environment, no way to any file but the code that it runs and the one open file,
 * no eval, no connection, a limited heap. Its own watchdog ends it for time and memory, also when this process is gone.
 */
export function startParser(
  { fileDescriptor, format, maxCharacters }: ParserInput,
  limits: ProcessLimits,
): ParserProcess {
  const child = spawn(
    process.execPath,
    [
      ...nodeOptions(limits),
      CHILD,
      format,
      ...[maxCharacters, limits.memoryBytes, limits.timeoutMs].map(String),
    ],
    { stdio: [fileDescriptor, 'ignore', 'ignore', 'pipe'], env: {}, windowsHide: true },
  )
  let reason: 'timeout' | 'stopped' | null = null
  const kill = (because: 'timeout' | 'stopped') => {
    reason ??= because
    child.kill('SIGKILL')
  }
  const timer = setTimeout(() => kill('timeout'), limits.timeoutMs)
  const text = readText(child, maxCharacters * BYTES_OF_CHARACTER)
  const end = exitOf(child)
    .then(async (isSuccess): Promise<ParserEnd> => {
      if (reason !== null) return { kind: 'unreadable', reason }
      if (isSuccess === null) return { kind: 'unreadable', reason: 'killed' }
      return isSuccess ? { kind: 'text', text: await text } : { kind: 'unreadable', reason: 'broken' }
    })
    .finally(() => clearTimeout(timer))
  return { end, stop: () => kill('stopped') }
}

function nodeOptions({ heapMegabytes }: ProcessLimits): string[] {
  return [
    '--permission',
    // The watchdog; threads of the child hold no more rights than the child.
    '--allow-worker',
    ...readableFolders().map((folder) => `--allow-fs-read=${folder}`),
    '--disallow-code-generation-from-strings',
    `--max-old-space-size=${heapMegabytes}`,
    '--max-semi-space-size=8',
    '--no-warnings',
  ]
}

/** The code of this package and of the libraries, wherever npm has put them. */
function readableFolders(): string[] {
  const own = dirname(dirname(CHILD))
  const installed = LIBRARIES.map((name) => {
    const path = fileURLToPath(import.meta.resolve(name))
    return path.slice(0, path.lastIndexOf(`${sep}node_modules${sep}`) + `${sep}node_modules`.length)
  })
  return [...new Set([dirname(own), ...installed])].map((folder) => `${folder}${sep}`)
}

/** Collects what the child writes; one that writes more than it may is ended. */
async function readText(child: ChildProcess, maxBytes: number): Promise<string> {
  const stream = child.stdio[TEXT_DESCRIPTOR] as Readable
  const chunks: Buffer[] = []
  let length = 0
  stream.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > maxBytes) child.kill('SIGKILL')
    else chunks.push(chunk)
  })
  return new Promise((resolve) => {
    // A connection that breaks ends the process, which tells the rest.
    stream.on('error', () => child.kill('SIGKILL'))
    stream.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')))
  })
}

/** Whether the child has ended well; null when something has ended it. Exit codes above 1 are Node's and V8's own. */
function exitOf(child: ChildProcess): Promise<boolean | null> {
  return new Promise((resolve) => {
    child.on('error', () => resolve(null))
    child.on('close', (code) => resolve(code === 0 ? true : code === 1 ? false : null))
  })
}
