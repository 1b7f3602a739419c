import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDocumentReader, type DocumentFormat } from '@troupe/documents'
import { doc, docx, pdf, workbook } from '@troupe/documents/testing'
import { createHeavyWork } from '@troupe/heavy-work'
import { median } from '../load/statistics.ts'

const ROUNDS = 7
const SENTENCE =
  'The quick brown fox jumps over the lazy dog, and a document is read in a process of its own.'

/** The cost of reading one document: process start, library, text. */
export interface DocumentRow {
  document: string
  /** Size of the file. */
  kilobytes: number
  /** Characters of the extracted text. */
  characters: number
  /** Median, in milliseconds. */
  ms: number
  /** Fastest and slowest round. */
  range: readonly [number, number]
}

interface Sample {
  document: string
  format: DocumentFormat
  bytes: Buffer
}

function samples(): Sample[] {
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `${index} ${SENTENCE}`)
  const rows = (count: number) => lines(count).map((line, index) => [index, line, index / 7, true])
  return [
    { document: 'pdf, 1 page', format: 'pdf', bytes: pdf(lines(1)) },
    { document: 'pdf, 500 pages', format: 'pdf', bytes: pdf(lines(500)) },
    { document: 'docx, 1 paragraph', format: 'docx', bytes: docx(lines(1)) },
    { document: 'docx, 5,000 paragraphs', format: 'docx', bytes: docx(lines(5_000)) },
    { document: 'doc, 1,000 paragraphs', format: 'doc', bytes: doc(lines(1_000).join('\n')) },
    { document: 'xlsx, 10 rows', format: 'xlsx', bytes: workbook('xlsx', { Sheet: rows(10) }) },
    { document: 'xlsx, 10,000 rows', format: 'xlsx', bytes: workbook('xlsx', { Sheet: rows(10_000) }) },
    { document: 'xls, 5,000 rows', format: 'xls', bytes: workbook('biff8', { Sheet: rows(5_000) }) },
  ]
}

/** Reads valid documents one after another, with the product's processes. */
export async function measureDocuments(): Promise<DocumentRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-documents-'))
  try {
    await using reader = createDocumentReader({ heavy: createHeavyWork(), maxCharacters: 1_000_000 })
    const results = samples().map((sample) => ({ ...sample, path: '', times: [] as number[], characters: 0 }))
    for (const [index, result] of results.entries()) {
      result.path = join(folder, String(index))
      await writeFile(result.path, result.bytes)
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const result of results) {
        const before = performance.now()
        const read = await reader.read({ path: result.path, format: result.format, owner: 'bench' })
        result.times.push(performance.now() - before)
        if (read.kind !== 'text') throw new Error(`${result.document} was not read: ${read.reason}`)
        result.characters = read.text.length
      }
    }
    return await Promise.all(
      results.map(async ({ document, path, times, characters }) => ({
        document,
        kilobytes: (await stat(path)).size / 1024,
        characters,
        ms: median(times),
        range: [Math.min(...times), Math.max(...times)] as const,
      })),
    )
  } finally {
    await rm(folder, { recursive: true })
  }
}
