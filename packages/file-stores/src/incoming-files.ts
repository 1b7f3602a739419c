import { constants, createWriteStream } from 'node:fs'
import { access, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { randomToken } from '@troupe/secrets'

/** Longer than any upload takes. */
const FORGOTTEN_MS = 60 * 60_000

/** An uploaded file on the local disk. Disposing deletes it, unless it was moved away. */
export interface IncomingFile extends AsyncDisposable {
  /** Absolute path. */
  path: string
  sizeBytes: number
}

/** A folder on the local disk for extracted files. Disposing deletes it with its content. */
export interface IncomingFolder extends AsyncDisposable {
  /** Absolute path. */
  path: string
}

/** The upload exceeds the size limit. */
export class FileTooLargeError extends Error {
  override readonly name = 'FileTooLargeError'
}

/** A folder for uploads, which are streamed and never held in memory completely. */
export class IncomingFiles {
  readonly #directory: string

  constructor(directory: string) {
    this.#directory = directory
  }

  /**
   * Writes a stream to a new file.
   *
   * @throws FileTooLargeError as soon as the limit is exceeded; any error of the stream or the disk. The
   * partial file is deleted
   */
  async receive(stream: Readable, maxBytes: number): Promise<IncomingFile> {
    await this.prepare()
    const path = join(this.#directory, randomToken())
    const remove = () => rm(path, { force: true })
    let sizeBytes = 0
    const counter = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        sizeBytes += chunk.length
        if (sizeBytes > maxBytes) done(new FileTooLargeError(`more than ${maxBytes} bytes`))
        else done(null, chunk)
      },
    })
    try {
      await pipeline(stream, counter, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    } catch (error) {
      await remove()
      throw error
    }
    return { path, sizeBytes, [Symbol.asyncDispose]: remove }
  }

  /** Creates an empty folder. */
  async folder(): Promise<IncomingFolder> {
    await this.prepare()
    const path = await mkdtemp(join(this.#directory, 'folder-'))
    return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
  }

  /** Creates the folder. @throws the error of the disk when files cannot be written to it */
  async prepare(): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 })
    await access(this.#directory, constants.W_OK)
  }

  /** Deletes files left behind by a process that died. */
  async sweep(now: number): Promise<void> {
    const names = await readdir(this.#directory).catch(() => [])
    for (const name of names) {
      const path = join(this.#directory, name)
      const found = await stat(path).catch(() => null)
      if (found && now - found.mtimeMs > FORGOTTEN_MS) await rm(path, { recursive: true, force: true })
    }
  }
}
