import { readFileSync, writeFileSync } from 'node:fs'
import { ignoreStopSignals } from '@troupe/heavy-work/stop-signals'
import { startWatchdog } from '@troupe/heavy-work/watchdog'
import { isDocumentFormat } from '../formats/document-format.ts'
import { END_BYTES, type OwnEnd } from './ends.ts'
import { forbidConnections } from './forbid-connections.ts'

/** Descriptors opened by the parent: the document, and the pipe for its text. */
const DOCUMENT = 0
const TEXT = 3

/** Reads the one document of this process, and writes its text. */
async function readDocument(): Promise<OwnEnd> {
  ignoreStopSignals()
  const [format = null, resources = '', ...numbers] = process.argv.slice(2)
  const [maxCharacters = 0, memoryBytes = 0, timeMs = 0, parent = 0] = numbers.map(Number)
  if (!isDocumentFormat(format)) throw new TypeError('this format is not supported')
  forbidConnections()
  await startWatchdog({ memoryBytes, timeMs, parent })
  const { parseDocument } = await import('../formats/parse-document.ts')
  const { text, isCut } = await parseDocument(format, readFileSync(DOCUMENT), { maxCharacters, resources })
  writeFileSync(TEXT, text.slice(0, maxCharacters).toWellFormed())
  return isCut || text.length > maxCharacters ? 'cut' : 'whole'
}

/** A bundle may hold the class of the error twice, so the error is identified by its name. */
function endOfError(error: unknown): OwnEnd {
  const isRefused = error instanceof Error && error.name === 'RefusedDocument' && 'reason' in error
  const reason = isRefused ? String(error.reason) : 'broken'
  return reason === 'password' || reason === 'outdated' ? reason : 'broken'
}

/** Writes the result, and ends this process: see `ends.ts`. */
function finish(end: OwnEnd): void {
  try {
    writeFileSync(TEXT, Uint8Array.of(END_BYTES[end]))
  } finally {
    process.kill(process.pid, 'SIGKILL')
  }
}

readDocument().then(finish, (error: unknown) => finish(endOfError(error)))
// An uncaught error from a parser counts as a refused document.
process.on('uncaughtException', (error) => finish(endOfError(error)))
