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

test('an edit never ends on another item of a list that a colleague has put into another order', () => {
  const refund = { type: 'http', name: 'refund' }
  const orders = { type: 'http', name: 'orders' }
  const base = edit('config.tools', [refund, orders])
  const mine = changedContent(base, 'config.tools.0.approval', 'always')
  for (const tools of [
    [orders, refund],
    [orders, { type: 'builtin', builtin: 'calculator' }],
  ]) {
    const merged = mergeContents(base, mine, edit('config.tools', tools))
    expect(merged.conflicts.map(({ path }) => path)).toEqual(['config.tools'])
    expect(merged.content.config.tools).toEqual([{ ...refund, approval: 'always' }, orders])
  }
  const rules = [
    { type: 'pii', action: 'flag' },
    { type: 'pii', action: 'block' },
  ]
  const alike = edit('config.rules', rules)
  const { conflicts } = mergeContents(
    alike,
    changedContent(alike, 'config.rules.0.message', 'No.'),
    edit('config.rules', rules.toReversed()),
  )
  expect(conflicts.map(({ path }) => path)).toEqual(['config.rules'])
})

test('leads of two kinds are never mixed', () => {
  const managed = (instructions: string) => edit('config.lead', { managed: { instructions } })
  const promoted = edit('config.lead', { agent: 'a' })
  const base = managed('Lead.')
  for (const [mine, theirs] of [
    [promoted, managed('Lead well.')],
    [managed('Lead well.'), promoted],
  ] as const) {
    const merged = mergeContents(base, mine, theirs)
    expect(merged.conflicts.map(({ path }) => path)).toEqual(['config.lead'])
    expect(merged.content.config.lead).toEqual(mine.config.lead)
    expect(decided(merged, { 'config.lead': 'theirs' }).config.lead).toEqual(theirs.config.lead)
  }
  const joined = mergeContents(base, changedContent(base, 'config.lead.managed.later', 1), managed('New.'))
  expect(joined.content.config.lead).toEqual({ managed: { instructions: 'New.', later: 1 } })
})

test('an object whose keys have dots is one setting, and the choice of theirs is what they saved', () => {
  const filters = (type: string) => edit('config.filters', { 'doc.type': type })
  const merged = mergeContents(filters('a'), filters('mine'), filters('theirs'))
  expect(merged.conflicts.map(({ path }) => path)).toEqual(['config.filters'])
  const theirs = decided(merged, { 'config.filters': 'theirs' })
  expect(theirs.config.filters).toEqual({ 'doc.type': 'theirs' })
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
