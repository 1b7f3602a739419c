import { expect, test } from 'vitest'
import { agentWordsOf } from './setting-labels.ts'
import { inChoiceWords } from './value-text.ts'

test('a change of a choice is shown in the words of the form', () => {
  const mode = { path: 'config.execution.output.mode', before: 'text', after: 'json_schema' }
  expect(inChoiceWords(mode, agentWordsOf)).toEqual({ ...mode, before: 'Text', after: 'JSON' })
  const name = { path: 'name', before: 'text', after: 'json_schema' }
  expect(inChoiceWords(name, agentWordsOf)).toEqual(name)
})
