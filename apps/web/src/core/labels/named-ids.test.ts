import { expect, test } from 'vitest'
import { idsIn, withNames } from './named-ids.ts'
import { agentWordsOf } from './setting-labels.ts'
import { valueInWords } from './value-text.ts'

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

test('ids are found by their settings, in whole items, in lists and alone', () => {
  const found = idsIn([
    { path: 'config.tools.0', value: { type: 'workflow', name: 'run', workflow_id: id(1) } },
    { path: 'config.knowledge.base_ids', value: [id(2), id(3)] },
    { path: 'config.knowledge.base_ids.0', value: id(2) },
    { path: 'config.fallback_member', value: id(4) },
    { path: 'config.tools.1', value: { type: 'agent', agent_id: 'not an id', body: { note: id(5) } } },
  ])
  expect(Object.values(found).flat()).toHaveLength(4)
  expect(found).toMatchObject({ workflow: [id(1)], knowledge_base: [id(2), id(3)], agent: [id(4)] })
})

test('a value shows names instead of ids', () => {
  const names = new Map([[id(1), 'Sort messages']])
  const tool = { type: 'workflow', name: 'run', workflow_id: id(1) }
  const shown = valueInWords(tool, 'config.tools.0', withNames(agentWordsOf, names))
  expect(shown).toContain('Workflow: Sort messages')
  const member = valueInWords(
    { agent: id(1) },
    'config.members.0',
    withNames(() => undefined, names),
  )
  expect(member).toContain('Sort messages')
})

test('two resources with one name are distinguished by the end of their ids', () => {
  const words = withNames(
    agentWordsOf,
    new Map([
      [id(1), 'Sort'],
      [id(2), 'Sort'],
      [id(3), 'Other'],
    ]),
  )
  const shown = [1, 2, 3].map((n) => valueInWords({ workflow_id: id(n) }, 'config.tools.0', words))
  expect(shown).toEqual(['Workflow: Sort (…000001)', 'Workflow: Sort (…000002)', 'Workflow: Other'])
})

test('without names, the words stay as they are', () => {
  const words = withNames(agentWordsOf, new Map())
  expect(words('tools.0.workflow_id')).toBe(agentWordsOf('tools.0.workflow_id'))
  expect(withNames(agentWordsOf, new Map([[id(1), 'x']]))('instructions')).toBe(agentWordsOf('instructions'))
})
