import { MemoryFS } from '@electric-sql/pglite'
import { copyImage } from './image-files.ts'

/** PGlite's data directory in its virtual file system. */
const DATA_DIRECTORY = '/pglite/data'

/** An in-memory file system that already holds the database of an image when PGlite starts. */
export class ImageInMemory extends MemoryFS {
  readonly #image: string

  constructor(image: string) {
    super()
    this.#image = image
  }

  /** PGlite calls this to restore data that an earlier process stored. */
  override async initialSyncFs(): Promise<void> {
    const files = this.pg?.Module.FS
    if (!files) throw new Error('The file system belongs to no database.')
    files.mkdirTree(DATA_DIRECTORY, 0o700)
    copyImage(this.#image, {
      directory: (path) => files.mkdir(`${DATA_DIRECTORY}/${path}`),
      file: (path, bytes) => files.writeFile(`${DATA_DIRECTORY}/${path}`, bytes),
    })
  }
}
