import { expect, test } from 'vitest'
import { argumentsOf } from './argument-names.ts'

test('required arguments come first, each with its type', () => {
  const schema = {
    required: ['id'],
    properties: { note: { type: ['string', 'null'] }, id: { type: 'string' }, any: true },
  }
  expect(argumentsOf(schema)).toEqual([
    { name: 'id', type: 'string', isRequired: true },
    { name: 'note', type: 'string or null', isRequired: false },
    { name: 'any', type: '', isRequired: false },
  ])
})

test('a schema without properties has none', () => {
  expect([argumentsOf(null), argumentsOf({}), argumentsOf({ properties: null })]).toEqual([[], [], []])
})
