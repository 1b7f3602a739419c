import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startOptions } from './start-options.ts'

const MAIN = fileURLToPath(new URL('../main.js', import.meta.url))

/** Milliseconds; creating the image of the embedded database takes most of them. */
const TIMEOUT_MS = 120_000

/**
 * Starts the program on an empty data folder in the temporary folder, with the options of `npm start`, and stops it once it is ready.
 * This fills the caches for later starts: a process writes its compiled functions when it exits.
 *
 * @throws Error with the output of the process if it does not become ready
 */
export async function startBriefly(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-prepare-'))
  try {
    // The child inherits nothing from the installer's environment.
    const child = spawn(process.execPath, [...startOptions(), MAIN], {
      env: { TROUPE_DATA_DIR: folder, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'error' },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: TIMEOUT_MS,
    })
    let output = ''
    let isReady = false
    const read = (text: string) => {
      output = (output + text).slice(-4_000)
      if (isReady || !output.includes('Troupe is ready')) return
      isReady = true
      child.kill('SIGTERM')
    }
    child.stdout.setEncoding('utf8').on('data', read)
    child.stderr.setEncoding('utf8').on('data', read)
    await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
    if (!isReady) throw new Error(`it did not start: ${output.trim()}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
