import { expect, test } from 'vitest'
import { highlights } from './highlights.ts'

const hits = (text: string, query: string) =>
  highlights(text, query).flatMap((piece) => (piece.isHit ? [piece.text] : []))

test('the words of a query are found in any case and with other endings', () => {
  expect(hits('Refunds take 14 days. A refund is free.', 'How long does a refund take?')).toEqual([
    'Refunds',
    'take',
    'refund',
  ])
})

test('words that are in every text are not highlighted', () => {
  expect(hits('Check the brakes and the wear of the pads.', 'How is the wear of the brakes found?')).toEqual([
    'brakes',
    'wear',
  ])
  expect(hits('Die Bremsen sind neu.', 'Wo sind die Bremsen?')).toEqual(['Bremsen'])
  // Its stem is that of a stop word, but it is not one.
  expect(hits('These theses are new.', 'Where are theses?')).toEqual(['theses'])
})

test('the pieces are the text again', () => {
  const text = 'Größe: 12 <b>kg</b>\nund mehr'
  expect(
    highlights(text, 'größe kg mehr')
      .map((piece) => piece.text)
      .join(''),
  ).toBe(text)
  expect(hits(text, 'größe')).toEqual(['Größe'])
})

test('without a word nothing is highlighted', () => {
  expect(highlights('Some text', '?!')).toEqual([{ text: 'Some text', isHit: false }])
  expect(highlights('', 'some')).toEqual([])
})
