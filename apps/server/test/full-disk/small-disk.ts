import { execFile } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { rmdir, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const CHUNK = Buffer.alloc(1024 * 1024, 1)

/** A separate disk that can be filled. Disposing unmounts it. */
export interface SmallDisk extends AsyncDisposable {
  folder: string
  /** Writes a file until the disk is full. */
  fill(): void
  /** Deletes that file. */
  free(): void
  freeBytes(): Promise<number>
}

/** Mounts a file system in memory; null, with a warning, if this user may not. */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk | null> {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-disk-'))
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'tmpfs', folder])
  } catch (error) {
    await rmdir(folder)
    process.stderr.write(`SKIPPED: the tests of a full disk need the right to mount a tmpfs: ${error}\n`)
    return null
  }
  const ballast = join(folder, 'ballast')
  return {
    folder,
    fill() {
      const file = openSync(ballast, 'a')
      try {
        for (let chunk = CHUNK; chunk.length > 0; ) {
          try {
            writeSync(file, chunk)
          } catch {
            chunk = chunk.subarray(0, Math.floor(chunk.length / 2))
          }
        }
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(ballast, { force: true }),
    async freeBytes() {
      const { bavail, bsize } = await statfs(folder)
      return bavail * bsize
    },
    async [Symbol.asyncDispose]() {
      await run('umount', ['--lazy', folder])
      await rmdir(folder)
    },
  }
}
