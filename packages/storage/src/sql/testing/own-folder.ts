import { setTimeout as pause } from 'node:timers/promises'
import { lockFolder } from '../pglite/folder-lock.ts'

/**
 * A process that owns a folder, prints its pid, and exits some milliseconds after SIGTERM. With `refused` as a third
 * argument it prints why it was refused the folder.
 */
const [directory = '', endsAfterMs, expected] = process.argv.slice(2)
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
