import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { lockFolder } from '../pglite/folder-lock.ts'

/**
 * A process that owns a folder, prints its pid, and exits some milliseconds after SIGTERM. With `refused` as the third
 * argument it prints the reason for the refusal; with `removed` it removes the lock file of the owner and locks a new
 * one before the owner's next check.
 */
const [directory = '', endsAfterMs, expected] = process.argv.slice(2)
if (expected === 'removed') rmSync(join(directory, 'owner.lock'))
try {
  const lock = await lockFolder(directory, (error) => {
    throw error
  })
  process.on('SIGTERM', async () => {
    await pause(Number(endsAfterMs))
    lock[Symbol.dispose]()
    process.exit(0)
  })
  process.stdout.write(String(process.pid))
  setInterval(() => {}, 1_000)
} catch (error) {
  if (expected !== 'refused') throw error
  process.stdout.write(String(error))
}
