import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHeavyWork } from '@troupe/heavy-work'
import type { DocumentFormat } from '../src/formats/document-format.ts'
import {
  createDocumentReader,
  type DocumentReader,
  type DocumentReaderOptions,
  type DocumentText,
} from '../src/reader/document-reader.ts'

/** A reader with a folder for the documents of a test. */
export interface Setting extends AsyncDisposable {
  reader: DocumentReader
  /** Reads bytes as a document of this format. */
  read(format: DocumentFormat, bytes: Buffer, owner?: string): Promise<DocumentText>
  /** Puts bytes into a file. */
  store(bytes: Buffer): string
}

export function openSetting(options: Partial<DocumentReaderOptions> = {}): Setting {
  const folder = mkdtempSync(join(tmpdir(), 'documents-'))
  // The limit includes the start of the process, which takes longer on a busy machine.
  const reader = createDocumentReader({
    heavy: createHeavyWork(),
    maxCharacters: 1_000_000,
    ...options,
    process: { timeoutMs: 60_000, ...options.process },
  })
  let number = 0
  const store = (bytes: Buffer) => {
    number += 1
    const path = join(folder, String(number))
    writeFileSync(path, bytes)
    return path
  }
  return {
    reader,
    store,
    read: (format, bytes, owner = 'a') => reader.read({ path: store(bytes), format, owner }),
    async [Symbol.asyncDispose]() {
      await reader[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true })
    },
  }
}
