import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inFolder, type Pcm, runProgram, writeWav } from '@troupe/speech'

/** The model listens to 16 kHz. */
export const POCKETSPHINX_RATE = 16_000
/** Of the Debian package pocketsphinx-en-us. */
const MODEL = '/usr/share/pocketsphinx/model/en-us'
/** Silence around the clip, in samples: without it the first and the last word are cut. */
const PADDING = 4_000
/** The default beams lose short utterances. */
const BEAMS = ['-beam', '1e-80', '-wbeam', '1e-60', '-pbeam', '1e-80']

/**
 * Recognises a clip at 16 kHz with the Debian program pocketsphinx_continuous; empty when it hears no words. `grammar`
 * lists the whole utterances that it chooses from; null: any words, slow and often wrong.
 *
 * @throws SpeechProgramError
 */
export function hearWithPocketsphinx(
  { samples }: Pcm,
  grammar: readonly string[] | null,
  signal?: AbortSignal,
): Promise<string> {
  return inFolder(async (folder) => {
    const clip = join(folder, 'clip.wav')
    const padded = new Int16Array(samples.length + 2 * PADDING)
    padded.set(samples, PADDING)
    await writeFile(clip, writeWav({ samples: padded, rate: POCKETSPHINX_RATE }))
    const language = grammar
      ? ['-jsgf', await grammarFile(folder, grammar)]
      : ['-lm', `${MODEL}/en-us.lm.bin`]
    const model = ['-hmm', `${MODEL}/en-us`, '-dict', `${MODEL}/cmudict-en-us.dict`]
    const args = ['-infile', clip, ...model, '-logfn', '/dev/null', ...BEAMS, ...language]
    const heard = await runProgram('pocketsphinx_continuous', args, signal)
    return heard.toString('utf8').trim().replaceAll(/\s+/g, ' ')
  })
}

async function grammarFile(folder: string, utterances: readonly string[]): Promise<string> {
  const file = join(folder, 'grammar.jsgf')
  const rule = utterances
    .map(spokenWords)
    .filter((words) => words !== '')
    .join(' | ')
  await writeFile(file, `#JSGF V1.0;\ngrammar utterances;\npublic <utterance> = ${rule};\n`)
  return file
}

/** Lower-case words only: everything else has a meaning in a grammar. */
function spokenWords(utterance: string): string {
  return utterance
    .toLowerCase()
    .replaceAll(/[^a-z' ]+/g, ' ')
    .trim()
}
