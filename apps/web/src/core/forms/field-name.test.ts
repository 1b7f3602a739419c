import { expect, test } from 'vitest'
import { draftFieldName, fieldName } from './field-name.ts'

test.each([
  ['baseUrl', 'Base URL'],
  ['session_id', 'Session id'],
  ['config.model.maxTokens', 'Max tokens'],
  ['stop.2', 'Stop 3'],
  ['body', 'Body'],
])('%s is called %s', (path, name) => {
  expect(fieldName(path, { baseUrl: 'Base URL' })).toBe(name)
})

test('the parts of a draft are called by their names', () => {
  const draft = { nodes: [{ id: 'a', name: 'Triage' }], edges: [{ source: 'a', target: 'b' }, {}] }
  expect(draftFieldName('draft.edges.0.sourceHandle', draft)).toBe('Connection 1 (a → b): Source handle')
  expect(draftFieldName('draft.edges.1.source', draft)).toBe('Connection 2: Source')
  expect(draftFieldName('draft.nodes.0.config.message', draft)).toBe('Step 1 (Triage): Message')
  expect(draftFieldName('draft.nodes.7', draft)).toBe('Step 8')
  expect(draftFieldName('draft', draft)).toBe('Draft')
})
