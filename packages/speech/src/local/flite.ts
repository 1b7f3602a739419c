import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pcm } from '../pcm/pcm.ts'
import { readWav } from '../pcm/wav.ts'
import { inFolder, runProgram } from './run-program.ts'

/** Voices of flite have a rate of 16 kHz, except `kal`, which is not offered, with 8. */
export const FLITE_RATE = 16_000
const VOICES = ['slt', 'rms', 'awb', 'kal16']

/** Synthesizes a text with the Debian program flite. @throws SpeechError */
export function speakWithFlite(
  text: string,
  { voice, speed }: { voice: string | null; speed: number },
  signal?: AbortSignal,
): Promise<Pcm> {
  const known = voice !== null && VOICES.includes(voice) ? voice : 'slt'
  return inFolder(async (folder) => {
    const file = join(folder, 'speech.wav')
    const stretch = ['--setf', `duration_stretch=${(1 / speed).toFixed(3)}`]
    await runProgram('flite', ['-voice', known, ...stretch, '-t', text, '-o', file], signal)
    return readWav(await readFile(file))
  })
}
