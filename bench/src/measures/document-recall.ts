import { readdirSync, readFileSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { newId, OrganizationId } from '@troupe/contract'
import {
  createDocumentExtractor,
  createDocumentReader,
  createPlainTextExtractor,
  extensionOf,
  type FileToRead,
  MAX_TEXT_LENGTH,
  placeholderReason,
  recogniseFile,
  type TextExtractor,
} from '@troupe/documents'
import { createHeavyWork } from '@troupe/heavy-work'
import { wordRecall } from '../load/word-recall.ts'

/** Documents that are read at once, as in a server. */
const AT_ONCE = 2
/** The share of the expected words at which a document counts as complete. */
const WHOLE = 0.95
/** The expected words of a document are in a file of its name with this added. */
const SIDECAR = '.txt'
const SAMPLE_MS = 10
const DOCUMENT = /\.(?:pdf|docx|docm|dotx|dotm|doc|dot|html?|xhtml|xlsx|xlsm|xltx|xls|xlt)$/i

/** The result of reading one document. */
export interface ReadDocumentRow {
  /** Within the folder. */
  file: string
  kind: string
  /** From 0 to 1; null without expected words. */
  recall: number | null
  /** Why there is no text; null for a document with text. */
  failure: string | null
  seconds: number
  /** Highest resident memory of the process that read it, in MB, sampled; null without `/proc`. */
  peakMb: number | null
}

/** The documents of one kind. */
export interface RecallRow {
  kind: string
  files: number
  /** Documents with expected words. */
  expected: number
  /** Of these, documents with at least {@link WHOLE} of the words. */
  whole: number
  /** How many documents were not read, by reason. */
  failures: Readonly<Record<string, number>>
  /** The time of all documents together. */
  seconds: number
  slowestSeconds: number
  peakMb: number | null
}

/**
 * Reads every document of a folder as a server does, and compares the results with the expected words: a text file
 * beside the document, named `report.pdf.txt` for `report.pdf`, which another program or a user wrote. Documents
 * without one are read, too: they count for failures, time and memory.
 */
export async function measureDocumentRecall(
  folder: string,
): Promise<{ rows: RecallRow[]; documents: ReadDocumentRow[] }> {
  const files = await documentsIn(folder)
  await using reader = createDocumentReader({ heavy: createHeavyWork(), maxCharacters: MAX_TEXT_LENGTH })
  const extractor = createDocumentExtractor({
    reader,
    plain: createPlainTextExtractor(),
    log: { info() {} },
  })
  using memory = watchChildren()
  const documents: ReadDocumentRow[] = []
  const waiting = files.values()
  const readOn = async () => {
    const owner = newId(OrganizationId)
    // The iterator is shared: each of the two takes the next document.
    for (const file of waiting) documents.push(await readOne(extractor, memory, folder, file, owner))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, readOn))
  const kinds = [...new Set(documents.map(({ kind }) => kind))].sort()
  return {
    rows: kinds.map((kind) =>
      rowOf(
        kind,
        documents.filter((one) => one.kind === kind),
      ),
    ),
    documents,
  }
}

async function documentsIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  return found
    .filter((entry) => entry.isFile() && DOCUMENT.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

async function readOne(
  extractor: TextExtractor,
  memory: ChildMemory,
  folder: string,
  path: string,
  organizationId: OrganizationId,
): Promise<ReadDocumentRow> {
  const expected = await readFile(path + SIDECAR, 'utf8').catch(() => null)
  const before = performance.now()
  const { contentType } = await recogniseFile(path, path)
  const file: FileToRead = {
    path,
    filename: path,
    contentType,
    sizeBytes: (await stat(path)).size,
    organizationId,
    pages: true,
  }
  const text = await extractor.extractText(file)
  const failure = placeholderReason(text, file)
  return {
    file: relative(folder, path),
    kind: extensionOf(path),
    recall: expected === null ? null : failure === null ? wordRecall(expected, text) : 0,
    failure,
    seconds: (performance.now() - before) / 1_000,
    peakMb: memory.takePeak(),
  }
}

function rowOf(kind: string, documents: readonly ReadDocumentRow[]): RecallRow {
  const failures: Record<string, number> = {}
  for (const { failure } of documents) if (failure !== null) failures[failure] = (failures[failure] ?? 0) + 1
  const peaks = documents.flatMap(({ peakMb }) => peakMb ?? [])
  return {
    kind,
    files: documents.length,
    expected: documents.filter(({ recall }) => recall !== null).length,
    whole: documents.filter(({ recall }) => recall !== null && recall >= WHOLE).length,
    failures,
    seconds: documents.reduce((sum, { seconds }) => sum + seconds, 0),
    slowestSeconds: Math.max(...documents.map(({ seconds }) => seconds)),
    peakMb: peaks.length === 0 ? null : Math.max(...peaks),
  }
}

interface ChildMemory extends Disposable {
  /** The highest peak of any child since the last call. Two documents at once share it. */
  takePeak(): number | null
}

/** Samples `VmHWM` of this process's children, which Linux keeps for each process. */
function watchChildren(): ChildMemory {
  let peakKb = 0
  const timer = setInterval(() => {
    for (const child of childrenOfThisProcess()) peakKb = Math.max(peakKb, peakKbOf(child))
  }, SAMPLE_MS)
  return {
    takePeak() {
      const taken = peakKb
      peakKb = 0
      return taken === 0 ? null : taken / 1024
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}

function childrenOfThisProcess(): string[] {
  try {
    return readdirSync('/proc/self/task').flatMap((task) =>
      readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
    )
  } catch {
    return []
  }
}

function peakKbOf(pid: string): number {
  try {
    return Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    // It has ended.
    return 0
  }
}
