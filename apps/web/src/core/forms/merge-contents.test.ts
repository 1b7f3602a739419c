import { expect, test } from 'vitest'
import { type ConfigContent, changedContent, changesBetween } from './config-content.ts'
import { decided, mergeContents } from './merge-contents.ts'

const BASE: ConfigContent = {
  name: 'Support',
  description: null,
  config: {
    instructions: 'Help.',
    model: { primary: { temperature: null, provider_options: {} }, fallbacks: [{ model_id: 'a' }] },
    tools: [{ type: 'http', name: 'orders', timeout_ms: 10 }],
    later: { unknown: [1, 2] },
  },
}
const edit = (path: string, value: unknown) => changedContent(BASE, path, value)

test('what two people change in different fields is joined', () => {
  const { content, conflicts } = mergeContents(
    BASE,
    edit('config.model.primary.temperature', 0.2),
    changedContent(edit('config.instructions', 'Help well.'), 'config.tools.0.timeout_ms', 20),
  )
  expect(conflicts).toEqual([])
  expect(changesBetween(BASE, content).map(({ path }) => path)).toEqual([
    'config.instructions',
    'config.model.primary.temperature',
    'config.tools.0.timeout_ms',
  ])
})

test('the same field is a conflict unless both say the same', () => {
  const mine = edit('name', 'Mine')
  expect(mergeContents(BASE, mine, edit('name', 'Mine')).conflicts).toEqual([])
  const merged = mergeContents(BASE, mine, edit('name', 'Theirs'))
  expect(merged.conflicts).toEqual([{ path: 'name', base: 'Support', mine: 'Mine', theirs: 'Theirs' }])
  expect(merged.content.name).toBe('Mine')
  expect(decided(merged, { name: 'theirs' }).name).toBe('Theirs')
})

test('an item that one person adds while another changes the list is a conflict about the list', () => {
  const longer = edit('config.tools', [{ type: 'builtin', builtin: 'calculator' }])
  const changed = edit('config.tools.0.timeout_ms', 99)
  const twoMore = edit('config.tools', [])
  expect(mergeContents(BASE, changed, twoMore).conflicts.map(({ path }) => path)).toEqual(['config.tools'])
  expect(mergeContents(BASE, longer, BASE).conflicts).toEqual([])
})

test('a removed key stays removed, and unknown keys are kept', () => {
  const { content, conflicts } = mergeContents(
    BASE,
    edit('config.later.unknown', undefined),
    edit('name', 'New'),
  )
  expect(conflicts).toEqual([])
  expect(content.config.later).toEqual({})
  expect(content.name).toBe('New')
})

test('the order of keys is no change', () => {
  const { instructions, ...rest } = BASE.config
  expect(changesBetween(BASE, { ...BASE, config: { ...rest, instructions } })).toEqual([])
})

test('a value that does not fit its place changes nothing', () => {
  expect(edit('name', 7)).toBe(BASE)
  expect(edit('config', 'text')).toBe(BASE)
  expect(edit('config.tools.0', undefined).config.tools).toEqual([])
})
