import { readFileSync, writeFileSync } from 'node:fs'
import { ignoreStopSignals } from '@troupe/heavy-work/stop-signals'
import { startWatchdog } from '@troupe/heavy-work/watchdog'
import { isDocumentFormat } from '../formats/document-format.ts'
import { EXIT_CODES } from './ends.ts'
import { forbidConnections } from './forbid-connections.ts'

/** Descriptors opened by the parent: the document, and the pipe for its text. */
const DOCUMENT = 0
const TEXT = 3

/** Reads the one document of this process. The exit code is the result: see `ends.ts`. */
async function readDocument(): Promise<number> {
  ignoreStopSignals()
  const [format = null, resources = '', ...numbers] = process.argv.slice(2)
  const [maxCharacters = 0, memoryBytes = 0, timeMs = 0, parent = 0] = numbers.map(Number)
  if (!isDocumentFormat(format)) throw new TypeError('this format is not supported')
  forbidConnections()
  await startWatchdog({ memoryBytes, timeMs, parent })
  const { parseDocument } = await import('../formats/parse-document.ts')
  const { text, isCut } = await parseDocument(format, readFileSync(DOCUMENT), { maxCharacters, resources })
  writeFileSync(TEXT, text.slice(0, maxCharacters).toWellFormed())
  return isCut || text.length > maxCharacters ? EXIT_CODES.cut : EXIT_CODES.whole
}

/** A bundle may hold the class of the error twice, so the error is identified by its name. */
function exitCodeOf(error: unknown): number {
  const isRefused = error instanceof Error && error.name === 'RefusedDocument' && 'reason' in error
  const reason = isRefused ? String(error.reason) : 'broken'
  return reason === 'password' || reason === 'outdated' ? EXIT_CODES[reason] : EXIT_CODES.broken
}

readDocument().then(
  (code) => process.exit(code),
  (error: unknown) => process.exit(exitCodeOf(error)),
)
// An uncaught error from a parser counts as a refused document.
process.on('uncaughtException', (error) => process.exit(exitCodeOf(error)))
