import { expect, test } from 'vitest'
import { type ConfigContent, changedContent, changesBetween } from './config-content.ts'
import { mergeContents, mergeValues } from './merge-contents.ts'

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

test('changes by two people in different fields are merged', () => {
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

test('the same field is a conflict unless both have the same value', () => {
  const mine = edit('name', 'Mine')
  expect(mergeContents(BASE, mine, edit('name', 'Mine')).conflicts).toEqual([])
  const merged = mergeContents(BASE, mine, edit('name', 'Theirs'))
  expect(merged.conflicts).toEqual([
    { id: 'name', path: 'name', base: 'Support', mine: 'Mine', theirs: 'Theirs' },
  ])
  expect(merged.content.name).toBe('Mine')
  expect(mergeContents(BASE, mine, edit('name', 'Theirs'), { name: 'theirs' }).content.name).toBe('Theirs')
})

const tools = (...list: object[]) => edit('config.tools', list)
const toolsOf = ({ config }: ConfigContent) => config.tools
const orders = { type: 'http', name: 'orders', timeout_ms: 10 }
const refund = { type: 'http', name: 'refund' }
const calculator = { type: 'builtin', builtin: 'calculator' }
const code = { type: 'code', name: 'compute' }
const pii = (action: string) => ({ type: 'pii', action })

test('items that two people add to a list, or remove from it, are added and removed', () => {
  for (const { base, mine, theirs, both } of [
    { base: [], mine: [calculator], theirs: [code], both: [code, calculator] },
    {
      base: [orders, refund],
      mine: [refund, calculator],
      theirs: [orders, code, refund],
      both: [code, refund, calculator],
    },
    { base: [orders], mine: [], theirs: [orders, code], both: [code] },
    { base: [pii('flag')], mine: [pii('flag'), pii('block')], theirs: [], both: [pii('block')] },
    { base: [], mine: [calculator], theirs: [code, calculator], both: [code, calculator] },
    { base: [], mine: [pii('flag')], theirs: [pii('block')], both: [pii('block'), pii('flag')] },
  ]) {
    const merged = mergeContents(tools(...base), tools(...mine), tools(...theirs))
    expect(merged.conflicts).toEqual([])
    expect(toolsOf(merged.content)).toEqual(both)
  }
  const none = edit('config.tools', undefined)
  expect(toolsOf(mergeContents(none, tools(orders), tools(code)).content)).toEqual([code, orders])
})

test('an edit stays with its item, even if a colleague has moved it or put another item in its place', () => {
  const base = tools(refund, orders)
  const mine = changedContent(base, 'config.tools.0.approval', 'always')
  for (const theirs of [[orders, refund], [calculator, refund], [refund]]) {
    const merged = mergeContents(base, mine, tools(...theirs))
    expect(merged.conflicts).toEqual([])
    expect(toolsOf(merged.content)).toEqual(
      theirs.map((tool) => (tool === refund ? { ...refund, approval: 'always' } : tool)),
    )
  }
  const alike = tools(pii('flag'), pii('block'))
  const told = changedContent(alike, 'config.tools.0.message', 'No.')
  const { conflicts, content } = mergeContents(alike, told, tools(pii('block'), pii('flag')))
  expect(conflicts).toEqual([])
  expect(toolsOf(content)).toEqual([pii('block'), { ...pii('flag'), message: 'No.' }])
})

test('a list is one setting if its items are too similar to know which one was edited', () => {
  const base = tools(pii('flag'), pii('block'))
  const edited = tools({ ...pii('flag'), message: 'No.' }, { ...pii('block'), message: 'No.' })
  const merged = mergeContents(base, edited, tools(pii('block'), pii('flag'), code))
  expect(merged.conflicts.map(({ id, path }) => [id, path])).toEqual([['config.tools', 'config.tools']])
  expect(toolsOf(merged.content)).toEqual(toolsOf(edited))
  const free = (...list: object[]) => edit('config.metadata', { list })
  const nameless = mergeContents(free({ a: 1 }), free({ a: 2 }), free({ a: 1, b: 1 }))
  expect(nameless.conflicts.map(({ path }) => path)).toEqual(['config.metadata.list'])
})

test('an item that both have changed is a conflict by field, at its position in the editor', () => {
  const base = tools(orders)
  const mine = tools({ ...orders, timeout_ms: 20, approval: 'always' })
  const theirs = tools(code, { ...orders, timeout_ms: 30, idempotent: true })
  const merged = mergeContents(base, mine, theirs)
  expect(merged.conflicts).toMatchObject([
    { path: 'config.tools.1.timeout_ms', base: 10, mine: 20, theirs: 30 },
  ])
  const both = { ...orders, approval: 'always', idempotent: true }
  expect(toolsOf(merged.content)).toEqual([code, { ...both, timeout_ms: 20 }])
  const [{ id } = { id: '' }] = merged.conflicts
  expect(toolsOf(mergeContents(base, mine, theirs, { [id]: 'theirs' }).content)).toEqual([
    code,
    { ...both, timeout_ms: 30 },
  ])
  // The conflict keeps its id when they save again in the meantime.
  const later = mergeContents(base, mine, tools(code, calculator, { ...orders, timeout_ms: 30 }))
  expect(later.conflicts).toMatchObject([{ id, path: 'config.tools.2.timeout_ms' }])
})

test('an item that one side has removed and the other has changed, or that both add differently, is a conflict', () => {
  const changed = { ...orders, timeout_ms: 20 }
  for (const { base, mine, theirs, path } of [
    { base: [refund, orders], mine: [refund], theirs: [refund, changed], path: 'config.tools.1' },
    { base: [refund, orders], mine: [refund, changed], theirs: [refund], path: 'config.tools.1' },
    { base: [], mine: [orders], theirs: [code, changed], path: 'config.tools.1' },
  ]) {
    const sides = [tools(...base), tools(...mine), tools(...theirs)] as const
    const merged = mergeContents(...sides)
    expect(merged.conflicts).toMatchObject([{ path, kind: 'item' }])
    const [{ id, mine: my, theirs: their } = { id: '', mine: 0, theirs: 0 }] = merged.conflicts
    const others = [...base, ...theirs].filter((tool) => tool === refund || tool === code).slice(0, 1)
    const withItem = (item: unknown) => (item === undefined ? others : [...others, item])
    expect(toolsOf(merged.content)).toEqual(withItem(my))
    expect(toolsOf(mergeContents(...sides, { [id]: 'theirs' }).content)).toEqual(withItem(their))
  }
})

test('an item under a new name is the same one if no other could be meant', () => {
  const long = { ...orders, url: 'https://shop.example/orders' }
  const renamed = mergeContents(
    tools(long),
    tools({ ...long, name: 'find_orders' }),
    tools({ ...long, timeout_ms: 20 }),
  )
  expect(renamed.conflicts).toEqual([])
  expect(toolsOf(renamed.content)).toEqual([{ ...long, name: 'find_orders', timeout_ms: 20 }])
  // This may be a new tool in place of the other one.
  const replaced = mergeContents(
    tools(code),
    tools({ ...code, name: 'convert' }),
    tools({ ...code, memory_mb: 9 }),
  )
  expect(replaced.conflicts).toMatchObject([
    { kind: 'item', mine: { ...code, name: 'convert' }, theirs: { ...code, memory_mb: 9 } },
  ])
  expect(toolsOf(replaced.content)).toEqual([{ ...code, name: 'convert' }])
})

test('two names, addresses or references for one item are one conflict, and one that only one side changed is none', () => {
  for (const [base, mine, theirs] of [
    [code, { ...code, name: 'convert' }, { ...code, name: 'calc' }],
    [
      { type: 'regex', pattern: 'a+', action: 'flag' },
      { type: 'regex', pattern: 'b', action: 'flag' },
      { type: 'regex', pattern: 'c', action: 'flag' },
    ],
    [{ model_id: 'a' }, { model_id: 'b' }, { model_id: 'c' }],
    [
      { key: 'a', required: true },
      { key: 'ab', required: true },
      { key: 'ac', required: true },
    ],
  ] as const) {
    const sides = [tools(refund, base), tools(refund, mine), tools(refund, theirs, calculator)] as const
    const merged = mergeContents(...sides)
    expect(merged.conflicts).toMatchObject([{ kind: 'item', path: 'config.tools.1', base, mine, theirs }])
    expect(toolsOf(merged.content)).toEqual([refund, mine, calculator])
    const [{ id } = { id: '' }] = merged.conflicts
    const decided = mergeContents(...sides, { [id]: 'theirs' })
    expect(toolsOf(decided.content)).toEqual([refund, theirs, calculator])
    for (const other of [tools(refund, base), tools(refund)]) {
      const alone = mergeContents(sides[0], sides[1], other)
      expect([alone.conflicts, toolsOf(alone.content)]).toEqual([[], [refund, mine]])
    }
  }
})

test('two new items of one name are one item that both have added', () => {
  const sides = [tools(), tools({ ...orders, url: 'u1' }), tools({ ...orders, url: 'u2' })] as const
  const merged = mergeContents(...sides)
  expect(merged.conflicts).toMatchObject([{ kind: 'item', path: 'config.tools.0' }])
  expect(toolsOf(merged.content)).toEqual([{ ...orders, url: 'u1' }])
})

test('two new items of one name with different ids are two items', () => {
  const sides = [tools(), tools({ ...orders, url: 'u1' }), tools({ ...orders, url: 'u2' })] as const
  const idsOf = (...list: string[]) => ({ 'config.tools': list })
  const known = { base: {}, mine: idsOf('here'), theirs: idsOf('there') }
  const merged = mergeContents(...sides, {}, known)
  expect(merged.conflicts).toEqual([])
  expect(toolsOf(merged.content)).toEqual([
    { ...orders, url: 'u2' },
    { ...orders, url: 'u1' },
  ])
  expect(merged.ids).toEqual(idsOf('there', 'here'))
})

test('an edit of one of two similar rules is merged with a colleague’s changes to the others', () => {
  const base = tools(pii('flag'), pii('block'))
  const mine = tools({ ...pii('flag'), message: 'No.' }, { ...pii('block'), message: 'Never.' })
  const merged = mergeContents(base, mine, tools(pii('flag'), pii('block'), code))
  expect(merged.conflicts).toEqual([])
  expect(toolsOf(merged.content)).toEqual([
    { ...pii('flag'), message: 'No.' },
    { ...pii('block'), message: 'Never.' },
    code,
  ])
})

test('an order that only one side has changed is applied, and two new orders are a conflict', () => {
  const base = tools(orders, refund, code)
  const mine = tools(refund, orders, code, calculator)
  expect(toolsOf(mergeContents(base, mine, tools(orders, refund)).content)).toEqual([
    refund,
    orders,
    calculator,
  ])
  const theirs = tools(code, refund, orders)
  const merged = mergeContents(base, mine, theirs)
  expect(merged.conflicts).toMatchObject([
    { id: 'config.tools order', path: 'config.tools', kind: 'order', theirs: [code, refund, orders] },
  ])
  expect(toolsOf(merged.content)).toEqual([refund, orders, code, calculator])
  const decided = mergeContents(base, mine, theirs, { 'config.tools order': 'theirs' })
  expect(toolsOf(decided.content)).toEqual([code, calculator, refund, orders])
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
    const decided = mergeContents(base, mine, theirs, { 'config.lead': 'theirs' })
    expect(decided.content.config.lead).toEqual(theirs.config.lead)
  }
  const joined = mergeContents(base, changedContent(base, 'config.lead.managed.later', 1), managed('New.'))
  expect(joined.content.config.lead).toEqual({ managed: { instructions: 'New.', later: 1 } })
})

test('an object whose keys have dots is one setting, and choosing theirs takes their saved value', () => {
  const filters = (type: string) => edit('config.filters', { 'doc.type': type })
  const sides = [filters('a'), filters('mine'), filters('theirs')] as const
  const merged = mergeContents(...sides)
  expect(merged.conflicts.map(({ path }) => path)).toEqual(['config.filters'])
  const theirs = mergeContents(...sides, { 'config.filters': 'theirs' })
  expect(theirs.content.config.filters).toEqual({ 'doc.type': 'theirs' })
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

test('a value that does not fit its place changes nothing', () => {
  expect(edit('name', 7)).toBe(BASE)
  expect(edit('config', 'text')).toBe(BASE)
  expect(edit('config.tools.0', undefined).config.tools).toEqual([])
})

test('a value that was completed late is merged with intermediate saves, and conflicts are reported', () => {
  expect(mergeValues({ a: 1 }, { a: 2 }, { a: 1, b: 1 })).toEqual({
    value: { a: 2, b: 1 },
    isContested: false,
  })
  expect(mergeValues({ a: 1 }, { a: 2 }, { a: 3, b: 1 })).toEqual({
    value: { a: 2, b: 1 },
    isContested: true,
  })
})
