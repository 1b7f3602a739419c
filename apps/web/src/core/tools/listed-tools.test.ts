import { expect, test } from 'vitest'
import { listedTools } from './listed-tools.ts'

test('the names that the server lists are those to choose from', () => {
  expect(listedTools('must be one of: listOrders, getOrder', null)).toEqual({
    names: ['listOrders', 'getOrder'],
    problem: null,
  })
  expect(listedTools('there is no tool', null)).toEqual({ names: [], problem: null })
})

test('a document or server that is not available says why, and gives no name', () => {
  const message = 'The address of the document answered with status 404.'
  expect(listedTools(null, { ok: false, error: { message } })).toEqual({ names: [], problem: message })
})
