import { readFileSync, writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { isDocumentFormat } from '../formats/document-format.ts'
import { forbidConnections } from './forbid-connections.ts'
import { startWatchdog } from './start-watchdog.ts'

/** Descriptors opened by the parent: the document, and the pipe for its text. */
const DOCUMENT = 0
const TEXT = 3

/**
 * Reads the one document of this process. Exit code 0: the text is written; 1: the parser refused the
 * document.
 */
async function readDocument(): Promise<void> {
  const [format = null, ...numbers] = process.argv.slice(2)
  const [maxCharacters = 0, memoryBytes = 0, timeoutMs = 0] = numbers.map(Number)
  if (!isDocumentFormat(format)) throw new TypeError('this format is not supported')
  // Runs and requests have priority over documents.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  forbidConnections()
  await startWatchdog({ memoryBytes, timeoutMs })
  const { parseDocument } = await import('../formats/parse-document.ts')
  const text = await parseDocument(format, readFileSync(DOCUMENT), maxCharacters)
  writeFileSync(TEXT, text.slice(0, maxCharacters).toWellFormed())
}

readDocument().then(
  () => process.exit(0),
  () => process.exit(1),
)
// An uncaught error from a parser counts as a refused document.
process.on('uncaughtException', () => process.exit(1))
