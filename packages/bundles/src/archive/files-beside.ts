import type { Readable } from 'node:stream'
import type { KnowledgeDocumentRecord } from '@troupe/database'

/** Opens the content of a file; null when it is not stored any more. */
export type OpenFile = () => Promise<Buffer | Readable | null>

/** Bytes of a name, so that ending and number fit into what file systems allow. */
const MAX_NAME_BYTES = 120
/** What no name of a file may have on some system: separators, wildcards, controls, and what is shown as nothing. */
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\/:*?"<>|]/gu
/** Names of devices on Windows. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** The files that travel beside a bundle, by their paths in it. */
export class FilesBeside {
  readonly #opens = new Map<string, OpenFile>()
  /** In lower case with composed letters: some file systems know no other names. */
  readonly #taken = new Set<string>()

  /** In the order in which they were added. */
  get files(): ReadonlyMap<string, OpenFile> {
    return this.#opens
  }

  /**
   * Adds a stored document.
   *
   * @param folder of the knowledge base, from {@link folder}
   * @returns its path: its name with the ending of what it is, which an apply reads
   */
  addDocument(folder: string, { name, source }: KnowledgeDocumentRecord, open: OpenFile): string {
    // A text from a request is Markdown, whatever its name is.
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

  /** Adds a file at a path that a folder of {@link folder} begins. */
  add(path: string, open: OpenFile): void {
    this.#opens.set(path, open)
  }

  /** A folder of its own. */
  folder(parent: string, name: string): string {
    return this.#free(`${parent}/`, plainName(name, 'folder'), '')
  }

  #free(before: string, name: string, ending: string): string {
    for (let number = 1; ; number += 1) {
      const path = `${before}${name}${number === 1 ? '' : `-${number}`}${ending}`
      const key = path.toLowerCase()
      if (this.#taken.has(key)) continue
      this.#taken.add(key)
      return path
    }
  }
}

/** The name without what some file system refuses; `otherwise` for a name of nothing else. */
function plainName(name: string, otherwise: string): string {
  const plain = cut(name.toWellFormed().normalize('NFC').replaceAll(FORBIDDEN, '_').trim())
  let end = plain.length
  // Windows drops them.
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
