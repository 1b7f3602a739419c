import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const STEP_MB = 16
/** The upper limit: a larger pool makes an idle process larger, and the operating system caches the files anyway. */
const MOST_MB = 64

/**
 * The setting for the buffer pool of a database folder: half of its size. A small database keeps a small process;
 * searches of 10,000 passages (80 MB) take two thirds of the CPU time with 48 MB, because the index of vectors is
 * 20 MB and every page that is not in the pool is read through the file system's emulation. It applies from the next
 * start.
 */
export function bufferPool(dataDir: string): string {
  const steps = Math.ceil(bytesOf(join(dataDir, 'base')) / 2 / (STEP_MB * 1024 * 1024))
  return `shared_buffers = ${Math.min(Math.max(steps * STEP_MB, STEP_MB), MOST_MB)}MB`
}

/** The bytes of the tables and indexes; 0 for a folder without a database. */
function bytesOf(base: string): number {
  try {
    const files = readdirSync(base, { recursive: true, encoding: 'utf8' })
    return files.reduce((sum, file) => sum + statSync(join(base, file)).size, 0)
  } catch {
    return 0
  }
}
