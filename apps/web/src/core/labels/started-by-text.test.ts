import { expect, test } from 'vitest'
import { startedByText } from './started-by-text.ts'

test.each([
  [null, 'API, job'],
  [{ kind: 'api_key', id: 'k', name: 'Shop key' }, 'API, job · Shop key'],
  [{ kind: 'user', id: 'u', name: null }, 'API, job'],
  [{ kind: 'run', id: 'r', name: 'Researcher' }, 'Tool of Researcher'],
  [{ kind: 'run', id: 'r', name: null }, 'Tool of a deleted agent or team'],
] as const)('a run shows its trigger and its caller: %j', (startedBy, text) => {
  expect(startedByText({ source: 'api_async', startedBy })).toBe(text)
})
