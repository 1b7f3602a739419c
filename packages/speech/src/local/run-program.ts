import { type ExecFileException, execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SpeechError } from '../spoken/speech-error.ts'

const TIMEOUT_MS = 20_000
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

/**
 * Runs a program and returns its standard output.
 *
 * @throws SpeechError, even after 20 seconds and when the signal fires
 */
export function runProgram(program: string, args: readonly string[], signal?: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { encoding: 'buffer' as const, timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES }
    execFile(program, [...args], { ...options, ...(signal && { signal }) }, (error, stdout) => {
      if (!error) resolve(stdout)
      else reject(new SpeechError(reasonOf(program, error), { cause: error }))
    })
  })
}

function reasonOf(program: string, error: ExecFileException): string {
  if (error.code === 'ENOENT') return `${program} is not installed on this machine.`
  if (error.killed || error.name === 'AbortError') return `${program} did not end in time.`
  return `${program} failed: ${error.message.slice(0, 200)}`
}

/** Calls `use` with an empty folder that exists until it has settled. */
export async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-voice-'))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
