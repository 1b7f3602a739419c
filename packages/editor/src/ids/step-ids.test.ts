import { expect, test } from 'vitest'
import { freshName, freshStepId, isStepId, slugOf } from './step-ids.ts'

const takes =
  (...taken: string[]) =>
  (id: string) =>
    taken.includes(id)

test.each([
  ['AI Agent', 'ai-agent'],
  ['Größe prüfen', 'grosse-prufen'],
  ['If / Else', 'if-else'],
  ['  --  ', ''],
  ['段', ''],
  ['é'.repeat(200), 'e'.repeat(64)],
])('the name %j is the id %j', (name, id) => {
  expect(slugOf(name)).toBe(id)
  expect(id === '' || isStepId(id)).toBe(true)
})

test('a used id is numbered, and a name without usable characters yields the id of its type', () => {
  expect(freshStepId('Ask', 'ai-prompt', takes('ask', 'ask-2'))).toBe('ask-3')
  expect(freshStepId('段', 'ai-prompt', takes())).toBe('ai-prompt')
  const long = freshStepId('x'.repeat(80), 'loop', takes('x'.repeat(64)))
  expect([long.length, long.endsWith('-2'), isStepId(long)]).toEqual([64, true, true])
})

test('a numbered name gets the next number', () => {
  expect(freshName('Step 2', takes('Step 2'))).toBe('Step 3')
  expect(freshName('Step', takes('Step', 'Step 2'))).toBe('Step 3')
  expect(freshName('n'.repeat(128), takes('n'.repeat(128)))).toHaveLength(128)
  const emoji = `${'n'.repeat(125)}😀`
  expect(freshName(emoji, takes(emoji)).isWellFormed()).toBe(true)
})
