import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withoutThoughts } from '../testing/without-thoughts.ts'
import { ThoughtFilter, type UnmarkedText } from './thought-filter.ts'

/** The text and the thoughts of an answer with these deltas. */
function filtered(deltas: readonly string[], unmarked: UnmarkedText = 'answer', expectsJson = false) {
  let [text, thoughts, resets] = ['', '', 0]
  const read = (parts: LanguageModelV4StreamPart[]) => {
    for (const part of parts) {
      if (part.type === 'stream-start') text = ''
      if (part.type === 'text-delta') text += part.delta
      if (part.type === 'reasoning-delta') thoughts += part.delta
    }
  }
  const events = {
    onUnopened(isVoid: boolean) {
      if (isVoid) resets += 1
    },
  }
  const filter = new ThoughtFilter(unmarked, events, expectsJson)
  read(filter.add({ type: 'text-start', id: '0' }))
  for (const delta of deltas) read(filter.add({ type: 'text-delta', id: '0', delta }))
  read(filter.add({ type: 'text-end', id: '0' }))
  read(filter.end())
  return { text, thoughts, resets }
}

const CASES: [answer: string, text: string, thoughts: string][] = [
  // Answers of Qwen3 and DeepSeek-R1 from servers without a reasoning parser
  // (https://docs.vllm.ai/en/latest/features/reasoning_outputs.html).
  ['<think>\nHm, 1.\n</think>\n\n{"id":"a"}', '{"id":"a"}', '\nHm, 1.\n'],
  ['\n<think></think>\n\nYes', 'Yes', ''],
  ['<thinking>so</thinking>Yes', 'Yes', 'so'],
  ['<reasoning>so</reasoning> Yes', 'Yes', 'so'],
  ['<THINK>so</Think>Yes', 'Yes', 'so'],
  ['<think>a</think>\n<think>b</think>c', 'c', 'ab'],
  ['<think>a < b </thin </x></think>c', 'c', 'a < b </thin </x>'],
  ['<think>never closed', '', 'never closed'],
  // İ gets longer in lower case.
  ['<think>İİİ</think>İ', 'İ', 'İİİ'],
]
test.each(CASES)('thoughts at the start are removed: %j', (answer, text, thoughts) => {
  expect(filtered([answer])).toEqual({ text, thoughts, resets: 0 })
})

test.each([
  'plain',
  '  with space  ',
  '',
  '<thin',
  '<b>bold</b>',
  '{"mark":"<think>x</think>"}',
  'Models write <think> and </think> around thoughts.',
  'The mark `</think>` closes thoughts, "</think>" too.',
  '<thinker>x',
  'a <',
])('%j is not a thought', (answer) => {
  expect(filtered([answer])).toEqual({ text: answer, thoughts: '', resets: 0 })
  expect(filtered([...answer])).toEqual({ text: answer, thoughts: '', resets: 0 })
})

test('thoughts with their opening mark in the template void the text before their end', () => {
  const answer = 'Hm, so\nit is a.\n</think>\n\n{"id":"a"}'
  for (const deltas of [[answer], [...answer]]) {
    expect(filtered(deltas)).toEqual({ text: '{"id":"a"}', thoughts: '', resets: 1 })
  }
})

test('a model that is known to leave out the opening mark voids nothing', () => {
  const answer = 'Hm.</think>\n\nYes'
  expect(filtered([...answer], 'thoughts')).toEqual({ text: 'Yes', thoughts: 'Hm.', resets: 0 })
  // Once the model does not think, its text is the answer.
  expect(filtered([...'No thoughts'], 'thoughts')).toMatchObject({ text: 'No thoughts', resets: 0 })
})

const shown = (deltas: readonly string[], expectsJson = false) => {
  const filter = new ThoughtFilter('held', { onUnopened() {} }, expectsJson)
  return deltas.map((delta) =>
    filter
      .add({ type: 'text-delta', id: '0', delta })
      .map((part) => (part.type === 'text-delta' ? part.delta : `[${part.type}]`))
      .join(''),
  )
}

test('held-back text that turns out to be thoughts is never seen', () => {
  const answer = 'Hm, so\nit is a.\n</think>\n\nYes'
  for (const deltas of [[answer], [...answer]]) {
    expect(filtered(deltas, 'held')).toEqual({ text: 'Yes', thoughts: 'Hm, so\nit is a.\n', resets: 0 })
    expect(shown(deltas).join('')).toMatch(/^\[reasoning-start\]\[reasoning-delta\]\[reasoning-end\]Yes$/)
  }
})

test('held-back text is passed on as soon as it is known to be the answer', () => {
  // At the end, if the text mentions marks, or after thoughts with an opening mark.
  expect(shown(['No ', 'thoughts'])).toEqual(['', ''])
  expect(filtered(['No ', 'thoughts'], 'held').text).toBe('No thoughts')
  expect(shown(['The mark ', '`</think>`', ' closes'])).toEqual(['', 'The mark `</think>`', ' closes'])
  expect(shown(['Write <think>', ' first'])).toEqual(['Write <think>', ' first'])
  expect(shown(['<think>x</think>', 'Yes', ' and']).slice(1)).toEqual(['Yes', ' and'])
  expect(shown(['\n{"a"', ':1}'], true)).toEqual(['\n{"a"', ':1}'])
  expect(shown(['So: {"a"', ':1}'], true)).toEqual(['', ''])
})

test('however an answer is split into deltas, its text and its thoughts are the same', () => {
  const piece = fc.constantFrom(
    ...[
      '<think>',
      '</think>',
      '<thinking>',
      '</thinking>',
      '</reasoning>',
      '<',
      '</',
      'thi',
      ' ',
      '\n',
      'a',
      '{',
      '`',
      'İ',
    ],
  )
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }),
      fc.array(fc.nat(5), { minLength: 1 }),
      fc.constantFrom<UnmarkedText>('answer', 'held', 'thoughts'),
      (pieces, cuts, unmarked) => {
        const answer = pieces.join('')
        const deltas: string[] = []
        for (let at = 0, cut = 0; at < answer.length; cut += 1) {
          const length = 1 + (cuts[cut % cuts.length] ?? 0)
          deltas.push(answer.slice(at, at + length))
          at += length
        }
        const { text } = filtered(deltas, unmarked)
        expect(text).toBe(filtered([answer], unmarked).text)
        if (unmarked !== 'thoughts') expect(text).toBe(withoutThoughts(answer))
      },
    ),
    { numRuns: 3_000 },
  )
})

test('metadata of a delta is kept, even if its text is held back', () => {
  const filter = new ThoughtFilter('answer', { onUnopened() {} })
  const providerMetadata = { google: { thoughtSignature: 's' } }
  for (const delta of ['plain', '<thi', '<think>x</think>']) {
    const parts = new ThoughtFilter('answer', { onUnopened() {} }).add({
      type: 'text-delta',
      id: '1',
      delta,
      providerMetadata,
    })
    expect(parts.find(({ type }) => type === 'text-delta')).toMatchObject({ id: '1', providerMetadata })
  }
  expect(filter.end()).toEqual([])
})
