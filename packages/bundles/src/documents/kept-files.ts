import type { DocumentFile, DocumentFiles } from '@troupe/operations/knowledge/documents/document-files'

/**
 * The files that one apply stores. A transaction that lost a race runs again, so that each file is stored only once,
 * and files without a row at the end are deleted.
 */
export class KeptFiles {
  readonly #files: DocumentFiles
  readonly #kept = new Map<DocumentFile, string>()
  /** The files of the latest attempt. */
  #named = new Set<string>()
  #replaced: string[] = []
  #isQueued = false

  constructor(files: DocumentFiles) {
    this.#files = files
  }

  /** Called when a transaction starts. */
  begin(): void {
    this.#named = new Set()
    this.#replaced = []
    this.#isQueued = false
  }

  /** The storage key of a document's stored bytes; null for a document without any. */
  async keep(file: DocumentFile | null): Promise<string | null> {
    this.#isQueued = true
    if (file === null) return null
    const key = this.#kept.get(file) ?? (await this.#files.keep(file))
    this.#kept.set(file, key)
    this.#named.add(key)
    return key
  }

  /** Records that a row no longer uses the file under this key. */
  replaced(key: string | null): void {
    if (key !== null) this.#replaced.push(key)
  }

  /** After the last transaction: deletes unneeded files, and starts reading queued documents. */
  async end(isCommitted: boolean): Promise<void> {
    const unused = [...this.#kept.values()].filter((key) => !isCommitted || !this.#named.has(key))
    await this.#files.delete(isCommitted ? [...unused, ...this.#replaced] : unused)
    if (isCommitted && this.#isQueued) this.#files.hurry()
  }
}
