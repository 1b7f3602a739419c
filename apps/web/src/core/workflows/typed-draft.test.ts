import { expect, test } from 'vitest'
import { isStaleDraft, onTopOf } from './typed-draft.ts'

const draft = {
  nodes: [
    { id: 'a', type: 'loop', name: 'A', parentId: null, position: { x: 0, y: 0 }, config: { times: 2 } },
  ],
  edges: [],
}

test('an edit is stale when the draft has changed, and not when its text is laid out otherwise or omits defaults', () => {
  const short = JSON.stringify({ nodes: [{ id: 'a', type: 'loop', name: 'A', config: { times: 2 } }] })
  expect(isStaleDraft(JSON.stringify(draft), draft)).toBe(false)
  expect(isStaleDraft(short, draft)).toBe(false)
  expect(isStaleDraft(short.replace('2', '3'), draft)).toBe(true)
  expect(isStaleDraft('{', draft)).toBe(true)
})

test('text typed during a save is an edit of the saved text and has its revision, which is never 0', () => {
  const later = onTopOf({ text: 'saved', from: 'before' }, 7)({ text: 'later', from: 'before' })
  expect(later).toEqual({ value: { text: 'later', from: 'saved' }, base: '7' })
})
