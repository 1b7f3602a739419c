import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** From the Debian package pocketsphinx-en-us. */
const MODEL = '/usr/share/pocketsphinx/model/en-us'
const DICTIONARY = `${MODEL}/cmudict-en-us.dict`

/** The vocabulary of pocketsphinx, as its arguments. Files of a grammar exist until it is disposed. */
export interface Vocabulary extends AsyncDisposable {
  args: readonly string[]
}

/**
 * Opens the vocabulary of whole utterances; null: any words, slow and often wrong. A grammar comes with only its words of the
 * dictionary: loading all 134,000 takes four times as long as recognising a short utterance.
 */
export async function openVocabulary(utterances: readonly string[] | null): Promise<Vocabulary> {
  const model = ['-hmm', `${MODEL}/en-us`]
  if (utterances === null) {
    const args = [...model, '-dict', DICTIONARY, '-lm', `${MODEL}/en-us.lm.bin`]
    return { args, async [Symbol.asyncDispose]() {} }
  }
  const folder = await mkdtemp(join(tmpdir(), 'troupe-vocabulary-'))
  const said = utterances.map(spokenWords).filter((words) => words !== '')
  const grammar = join(folder, 'grammar.jsgf')
  const rule = said.join(' | ')
  await writeFile(grammar, `#JSGF V1.0;\ngrammar utterances;\npublic <utterance> = ${rule};\n`)
  const dictionary = join(folder, 'words.dict')
  await writeFile(dictionary, await pronunciations(new Set(said.flatMap((words) => words.split(' ')))))
  return {
    args: [...model, '-dict', dictionary, '-jsgf', grammar],
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

/** The lines of the dictionary for these words: `word phones`, and `word(2) phones` for an alternative pronunciation. */
async function pronunciations(words: ReadonlySet<string>): Promise<string> {
  const found: string[] = []
  for await (const line of createInterface({ input: createReadStream(DICTIONARY) })) {
    const [entry = ''] = line.split(' ', 1)
    const [word = ''] = entry.split('(', 1)
    if (words.has(word)) found.push(line)
  }
  return `${found.join('\n')}\n`
}

/** Lower-case words only: other characters have a meaning in a grammar. */
function spokenWords(utterance: string): string {
  return utterance
    .toLowerCase()
    .replaceAll(/[^a-z']+/g, ' ')
    .trim()
}
