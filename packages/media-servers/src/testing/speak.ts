import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readWav, type Speech, trimmed } from './audio.ts'

const run = promisify(execFile)

/** A caller's voice: flite at 16 kHz, without silence at its ends. */
export async function speak(text: string, voice: 'slt' | 'rms' = 'slt'): Promise<Speech> {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-speech-'))
  try {
    const file = join(folder, 'speech.wav')
    await run('flite', ['-voice', voice, '-t', text, '-o', file])
    return trimmed(readWav(await readFile(file)))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
