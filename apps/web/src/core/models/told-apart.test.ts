import { expect, test } from 'vitest'
import { toldApart } from './told-apart.ts'

const names: Record<string, string> = { a: 'Sandbox', b: 'Sandbox (backup)' }
const nameOf = (id: string) => names[id]
const one = { llmConfigId: 'a', modelId: 'sandbox-1' }

test('a model has the name of its configuration where another one has a model of the same id', () => {
  expect(toldApart(one, [one, { llmConfigId: 'b', modelId: 'sandbox-1' }], nameOf)).toBe(
    'sandbox-1 · Sandbox',
  )
  expect(toldApart(one, [one, { llmConfigId: 'b', modelId: 'sandbox-2' }], nameOf)).toBe('sandbox-1')
  const unknown = { llmConfigId: 'c', modelId: 'sandbox-1' }
  expect(toldApart(unknown, [one], nameOf)).toBe('sandbox-1')
})
