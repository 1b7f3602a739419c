import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { openVocabulary } from './vocabulary.ts'

const HAS_MODEL = existsSync('/usr/share/pocketsphinx/model/en-us')

const argument = (args: readonly string[], name: string) => args[args.indexOf(name) + 1] ?? ''

test.skipIf(!HAS_MODEL)(
  'a grammar has its utterances as plain words, and their pronunciations only',
  async () => {
    const vocabulary = await openVocabulary(['What TIME is it?', 'read <it> | | now;', '…'])
    const grammar = argument(vocabulary.args, '-jsgf')
    expect(await readFile(grammar, 'utf8')).toContain('<utterance> = what time is it | read it now;')
    const dictionary = await readFile(argument(vocabulary.args, '-dict'), 'utf8')
    const words = new Set(
      dictionary
        .trim()
        .split('\n')
        .map((line) => line.split(/[ (]/)[0]),
    )
    expect([...words].sort()).toEqual(['is', 'it', 'now', 'read', 'time', 'what'])
    expect(dictionary).toMatch(/^read\(2\) R EH D$|^read\(2\) R IY D$/m)
    await vocabulary[Symbol.asyncDispose]()
    expect(existsSync(dirname(grammar))).toBe(false)
  },
)

test('without a grammar, any words are recognised', async () => {
  const { args } = await openVocabulary(null)
  expect(argument(args, '-lm')).toMatch(/en-us\.lm\.bin$/)
  expect(args).not.toContain('-jsgf')
})
