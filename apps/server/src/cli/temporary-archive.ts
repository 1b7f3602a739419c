import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { writeZip, type ZipContent } from '@troupe/documents'

/** The path of a writable file in a new folder. Disposing deletes both. */
export async function temporaryFile(): Promise<AsyncDisposable & { path: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'troupe-archive-'))
  return {
    path: join(directory, 'bundle.zip'),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  }
}

/** A zip archive of these files on the local disk. Disposing deletes it. */
export async function archived(
  contents: AsyncIterable<ZipContent>,
): Promise<AsyncDisposable & { path: string }> {
  await using stack = new AsyncDisposableStack()
  const file = stack.use(await temporaryFile())
  await pipeline(writeZip(contents), createWriteStream(file.path, { mode: 0o600 }))
  const owned = stack.move()
  return { path: file.path, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}
