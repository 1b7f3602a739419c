import { describe, expect, test } from 'vitest'
import { foundMemories } from '../memories/memory-change.ts'
import { askedTerms, searchTerms } from './search-terms.ts'

test('words are in small letters, with their accents and marks', () => {
  expect(searchTerms('Der Ärger, हिन्दी 42')).toEqual(new Set(['der', 'ärger', 'हिन्दी', '42']))
})

// The same texts and words as in knowledge-languages.ts of the database's tests: knowledge bases are searched in the database.
test.for([
  [
    'Troupe™ Acme® Shop℠ results¹ area¹²³ 10² CO₂',
    ['troupe', 'acme', 'shop', 'results', '1', 'area', '123', '10', '2', 'co2'],
  ],
  ['ＡＢＣ™ 日本² U\u0308bergabe³', ['abc', '日', '日本', '本', '2', '3', 'übergabe']],
] as const)('signs and raised digits do not become part of a word: %s', ([text, words]) => {
  expect(searchTerms(text)).toEqual(new Set<string>(words))
})

test.for([
  ['日本語', ['日', '日本', '本', '本語', '語'], ['日本', '本語']],
  ['학교에', ['학', '학교', '교', '교에', '에'], ['학교', '교에']],
  ['ช้าง', ['ช้', 'ช้า', '้า', '้าง', 'าง'], ['ช้า', '้าง']],
  // A single letter is a term where it is alone; half-width letters are normalized.
  ['猫 ｶ', ['猫', 'カ'], ['猫', 'カ']],
  ['iPhone15を', ['iphone15', 'を'], ['iphone15', 'を']],
] as const)('%s', ([text, terms, asked]) => {
  expect([...searchTerms(text)].toSorted()).toEqual([...terms].toSorted())
  expect([...askedTerms(text)].toSorted()).toEqual([...asked].toSorted())
})

describe('memories are found', () => {
  const known = [
    'お客様は紅茶が好きです',
    '사용자는 부산에 삽니다',
    'ผู้ใช้แพ้ถั่วลิสง',
    '用户住在柏林，有两只猫',
    'Likes green tea',
  ].map((text, at) => ({ id: String(at), text }))
  test.for([
    ['紅茶', '0'],
    ['부산', '1'],
    ['แพ้อะไร', '2'],
    ['他住在哪里', '3'],
    ['tea', '4'],
  ] as const)('by %s', ([query, id]) => {
    expect(foundMemories(known, query, 1).map((one) => one.id)).toEqual([id])
  })
})
