import type { Readable } from 'node:stream'
import type { KnowledgeDocumentRecord } from '@troupe/storage'

/** Opens the content of a file; null if it is no longer stored. */
export type OpenFile = () => Promise<Buffer | Readable | null>

/** Maximum bytes of a name without extension and number: file systems allow 255 in total. */
const MAX_NAME_BYTES = 120
/** Characters that a file system or a person cannot handle in names: separators, wildcards, controls, invisible ones. */
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\/:*?"<>|]/gu
/** Device names on Windows. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** The files beside a bundle, by their paths in it. */
export class FilesBeside {
  readonly #opens = new Map<string, OpenFile>()
  /**
   * The last number for each path, in lower case and with composed letters, because some file systems compare paths
   * like that.
   */
  readonly #numbers = new Map<string, number>()

  /** In insertion order. */
  get files(): ReadonlyMap<string, OpenFile> {
    return this.#opens
  }

  /**
   * Adds a stored document.
   *
   * @param folder of the knowledge base, from {@link folder}
   * @returns its path: its name with the extension of its type, which an apply reads
   */
  addDocument(folder: string, { name, source }: KnowledgeDocumentRecord, open: OpenFile): string {
    // A text from a request is stored as Markdown, regardless of its name.
    const named = source === 'text' && !/\.md$/i.test(name) ? `${name}.md` : name
    const dot = /\.[^./\\]{1,16}$/.exec(named)?.index ?? named.length
    const path = this.#free(
      `${folder}/`,
      plainName(named.slice(0, dot), 'document'),
      plainName(named.slice(dot), ''),
    )
    this.#opens.set(path, open)
    return path
  }

  /** Adds a file at a path below a folder of {@link folder}. */
  add(path: string, open: OpenFile): void {
    this.#opens.set(path, open)
  }

  /** A unique folder. */
  folder(parent: string, name: string): string {
    return this.#free(`${parent}/`, plainName(name, 'folder'), '')
  }

  #free(before: string, name: string, ending: string): string {
    const first = `${before}${name}${ending}`.toLowerCase()
    // Continues after the last number: thousands of documents may have one name.
    for (let number = (this.#numbers.get(first) ?? 0) + 1; ; number += 1) {
      const path = `${before}${name}${number === 1 ? '' : `-${number}`}${ending}`
      this.#numbers.set(first, number)
      const key = path.toLowerCase()
      if (number > 1 && this.#numbers.has(key)) continue
      if (number > 1) this.#numbers.set(key, 1)
      return path
    }
  }
}

/** A name that every file system accepts; `otherwise` if no character remains. */
function plainName(name: string, otherwise: string): string {
  const plain = cut(name.toWellFormed().normalize('NFC').replaceAll(FORBIDDEN, '_').trim())
  let end = plain.length
  // Windows drops trailing dots and spaces.
  while (end > 0 && ['.', ' '].includes(plain.charAt(end - 1))) end -= 1
  const shown = plain.slice(0, end)
  if (otherwise === '') return plain
  return shown === '' ? otherwise : DEVICE.test(shown) ? `_${shown}` : shown
}

function cut(name: string): string {
  let bytes = 0
  let end = 0
  for (const character of name) {
    bytes += Buffer.byteLength(character)
    if (bytes > MAX_NAME_BYTES) break
    end += character.length
  }
  return name.slice(0, end)
}
