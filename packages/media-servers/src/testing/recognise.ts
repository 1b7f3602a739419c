import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { joined, resampled, type Speech, wavOf } from './audio.ts'

const run = promisify(execFile)
const RATE = 16_000
/** From the Debian package pocketsphinx-en-us. */
const MODEL = '/usr/share/pocketsphinx/model/en-us'
/** The default beams misread one clip in seven. */
const BEAMS = ['-beam', '1e-80', '-wbeam', '1e-60', '-pbeam', '1e-80']

/**
 * The recognized sentence. A grammar forces every sound into one of its sentences, so include others beside the expected one. Sentences are
 * lower-case words of the model's dictionary.
 */
export async function recognise(speech: Speech, sentences: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-hearing-'))
  try {
    const silence = new Int16Array(RATE / 4)
    const padded = joined([silence, resampled(speech, RATE).samples, silence])
    const file = join(folder, 'heard.wav')
    const grammar = join(folder, 'sentences.jsgf')
    await writeFile(file, wavOf({ samples: padded, rate: RATE }))
    await writeFile(grammar, `#JSGF V1.0;\ngrammar sentences;\npublic <said> = ${sentences.join(' | ')};\n`)
    const { stdout } = await run('pocketsphinx_continuous', [
      ...['-infile', file, '-hmm', `${MODEL}/en-us`, '-dict', `${MODEL}/cmudict-en-us.dict`],
      ...['-jsgf', grammar, '-logfn', '/dev/null', ...BEAMS],
    ])
    return stdout.trim().replace(/\s+/g, ' ')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
