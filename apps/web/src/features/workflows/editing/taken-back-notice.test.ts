import { expect, test } from 'vitest'
import { takenBackNotice } from './taken-back-notice.ts'

const left = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ kind: 'node' as const, id: `step${index}`, paths: [] }))

test('an undo reports the changes that it kept, and success only if it changed the draft', () => {
  const of = (isChanged: boolean, count: number) =>
    takenBackNotice({ label: 'Restore version 1', left: left(count), isChanged }, 'The draft is as it was')
  expect(of(true, 0)).toEqual({ title: 'The draft is as it was' })
  expect(of(true, 2)).toEqual({
    title: 'The draft is as it was',
    detail: '2 parts have changed since then and stay as they are.',
  })
  expect(of(false, 1)).toEqual({
    tone: 'bad',
    title: '“Restore version 1” cannot be undone: it has changed since then.',
  })
  expect(of(false, 0)).toEqual({
    title: '“Restore version 1” changes nothing: the draft is already like that.',
  })
})
