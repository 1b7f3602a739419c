import { expect, test } from 'vitest'
import { toolKey } from './tool-key.ts'

test('a renamed tool keeps its identity, so that the input of its test is kept', () => {
  expect(toolKey({ type: 'http', name: 'get_order' })).toBe(toolKey({ type: 'http', name: 'get_orders' }))
})

test('another kind, another built-in tool and another server are another tool', () => {
  const keys = [
    { type: 'http' },
    { type: 'builtin', builtin: 'calculator' },
    { type: 'builtin', builtin: 'datetime' },
    { type: 'mcp', server_id: 'a' },
    { type: 'mcp', server_id: 'b' },
  ].map(toolKey)
  expect(new Set(keys).size).toBe(keys.length)
})
