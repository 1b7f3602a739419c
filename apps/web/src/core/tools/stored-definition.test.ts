import { expect, test } from 'vitest'
import { storedDefinition } from './stored-definition.ts'

const WHOLE = JSON.stringify(
  { description: 'Opens a "ticket"\nnow.', inputSchema: { type: 'object' } },
  null,
  2,
)

test('a whole definition has its description and its schema', () => {
  expect(storedDefinition(WHOLE)).toEqual({
    description: 'Opens a "ticket"\nnow.',
    inputSchema: { type: 'object' },
  })
})

test('of a definition that is cut, the description is kept', () => {
  expect(storedDefinition(WHOLE.slice(0, 52))).toEqual({
    description: 'Opens a "ticket" now.',
    inputSchema: null,
  })
  expect(storedDefinition(WHOLE.slice(0, 27))).toEqual({ description: 'Opens a', inputSchema: null })
  expect(storedDefinition('')).toEqual({ description: '', inputSchema: null })
})
