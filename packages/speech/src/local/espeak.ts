import type { Pcm } from '../pcm/pcm.ts'
import { readWav } from '../pcm/wav.ts'
import { runProgram } from './run-program.ts'

export const ESPEAK_RATE = 22_050
const WORDS_PER_MINUTE = 175
/** The name of a voice; the program would also accept the path of a file. */
const VOICE = /^[A-Za-z][A-Za-z0-9+_-]{0,63}$/

/** Synthesizes a text with the Debian program espeak-ng. `voice` is one of its voices; null: that of the language. */
export async function speakWithEspeak(
  text: string,
  { voice, language, speed }: { voice: string | null; language: string; speed: number },
  signal?: AbortSignal,
): Promise<Pcm> {
  const spoken = voice !== null && VOICE.test(voice) ? voice : language.toLowerCase()
  const rate = String(Math.round(WORDS_PER_MINUTE * speed))
  // `--` ends the options: a text may begin with a dash.
  return readWav(await runProgram('espeak-ng', ['-v', spoken, '-s', rate, '--stdout', '--', text], signal))
}
