import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import { PromptLog } from './prompt-log.ts'

const user = (text: string): LanguageModelV4Message => ({ role: 'user', content: [{ type: 'text', text }] })
const said = (text: string): LanguageModelV4Message => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
})
const actor = { actor: 'ada', hidesDrafts: false }

/** Keeps prompts and returns the stored ones. */
function stored(prompts: readonly LanguageModelV4Prompt[], who = actor) {
  const log = new PromptLog(true)
  for (const prompt of prompts) log.keep(log.nextId(), { prompt }, who)
  return log.take()
}

test('each message is stored once, in however many calls it was sent', () => {
  const [system, question, answer, more] = [
    { role: 'system' as const, content: 'You are Ada.' },
    user('one'),
    said('two'),
    user('three'),
  ]
  const parts = stored([
    [system, question],
    [system, question, answer, more],
    [{ role: 'system', content: 'Answer in JSON.' }, question, answer, more],
  ])
  expect(parts?.messages.map(({ text }) => text)).toEqual([
    ...['You are Ada.', 'one', 'two', 'three', 'Answer in JSON.'],
  ])
  expect(parts?.prompts.map(({ messages }) => messages)).toEqual([
    [[0, 2]],
    [[0, 4]],
    [
      [4, 5],
      [1, 4],
    ],
  ])
})

test('written prompts are not numbered again, and are returned if the write fails', () => {
  const log = new PromptLog(true)
  const [first, second] = [user('one'), user('two')]
  log.keep(log.nextId(), { prompt: [first] }, actor)
  const taken = log.take()
  expect(log.take()).toBeNull()
  log.keep(log.nextId(), { prompt: [first, second] }, actor)
  expect(log.unwritten).toMatchObject({ part: 1, from: 1, prompts: [{ messages: [[0, 2]] }] })
  log.giveBack(taken)
  expect(log.unwritten).toMatchObject({ from: 0, messages: [{ text: 'one' }, { text: 'two' }] })
  expect(log.unwritten?.series).toBe(taken?.series)
})

test('parts taken by two members concurrently keep their numbers, in whichever order they are returned', () => {
  const log = new PromptLog(true)
  const keep = (...texts: string[]) => log.keep(log.nextId(), { prompt: texts.map(user) }, actor)
  const numbered = () =>
    log.unwritten?.messages.map(({ text }, at) => [at + (log.unwritten?.from ?? 0), text])
  keep('zero', 'one')
  const ofAda = log.take()
  keep('two')
  const ofBen = log.take()
  keep('three')
  const all = ['zero', 'one', 'two', 'three'].map((text, at) => [at, text])
  log.giveBack(ofAda)
  expect(numbered()).toEqual(all)
  log.giveBack(ofBen)
  expect(numbered()).toEqual(all)
  expect(log.unwritten?.prompts).toHaveLength(3)
})

test('provider state is excluded, and files are named', () => {
  const parts = stored([
    [
      {
        role: 'user',
        content: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } }],
      },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'hm', providerOptions: { a: { signature: 'sig' } } },
          { type: 'text', text: 'state', providerOptions: { troupe: { hidden: true } } },
          { type: 'tool-call', toolCallId: 'c', toolName: 'find', input: { q: 1 } },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c',
            toolName: 'find',
            output: { type: 'json', value: { n: 2 } },
          },
        ],
      },
    ],
  ])
  expect(parts?.messages).toEqual([
    { role: 'user', text: '[file image/png]' },
    { role: 'assistant', text: '', calls: [{ name: 'find', arguments: '{"q":1}' }] },
    { role: 'tool', text: '{"n":2}' },
  ])
})

test('a run keeps a limited amount and reports the number of missing messages', () => {
  const long = Array.from({ length: 12 }, (_, index) => user(`${index}${'x'.repeat(30_000)}`))
  const parts = stored([long])
  expect(parts?.messages.length).toBe(9)
  expect(parts?.prompts[0]).toMatchObject({ messages: [[0, 9]], leftOut: 3 })
})

test('drafts of an answer that output rules have not checked are not kept', () => {
  const [question, earlier, draft, repair] = [user('one'), said('earlier'), said('draft'), user('again')]
  const parts = stored(
    [
      [earlier, question],
      [earlier, question, draft, repair],
    ],
    { actor: 'ada', hidesDrafts: true },
  )
  const texts = parts?.messages.map(({ text }) => text)
  expect(texts).toEqual(['earlier', 'one', expect.not.stringContaining('draft'), 'again'])
})

test('a run that stores no texts keeps none', () => {
  const log = new PromptLog(false)
  log.keep(log.nextId(), { prompt: [user('one')] }, actor)
  expect([log.nextId(), log.unwritten]).toEqual([null, null])
})
