import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inFolder, type Pcm, runProgram, writeWav } from '@troupe/speech'
import type { Vocabulary } from './vocabulary.ts'

/** The model expects 16 kHz. */
export const POCKETSPHINX_RATE = 16_000
/** Silence around the clip, in samples; without it the first and the last word are cut off. */
const PADDING = 4_000
/** The default beams lose short utterances. */
const BEAMS = ['-beam', '1e-80', '-wbeam', '1e-60', '-pbeam', '1e-80']

/**
 * Recognises a clip at 16 kHz with the Debian program pocketsphinx_continuous; empty if there are no words.
 *
 * @throws SpeechProgramError
 */
export function hearWithPocketsphinx(
  { samples }: Pcm,
  vocabulary: Vocabulary,
  signal?: AbortSignal,
): Promise<string> {
  return inFolder(async (folder) => {
    const clip = join(folder, 'clip.wav')
    const padded = new Int16Array(samples.length + 2 * PADDING)
    padded.set(samples, PADDING)
    await writeFile(clip, writeWav({ samples: padded, rate: POCKETSPHINX_RATE }))
    const args = ['-infile', clip, '-logfn', '/dev/null', ...BEAMS, ...vocabulary.args]
    const heard = await runProgram('pocketsphinx_continuous', args, signal)
    return heard.toString('utf8').trim().replaceAll(/\s+/g, ' ')
  })
}
