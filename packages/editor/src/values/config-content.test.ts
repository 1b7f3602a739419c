import { expect, test } from 'vitest'
import { changesBetween, formerValue } from './config-content.ts'

const orders = { type: 'http', name: 'orders', url: 'https://shop.example', timeout_ms: 10 }
const refund = { type: 'http', name: 'refund', url: 'https://shop.example/refund', timeout_ms: 10 }
const calculator = { type: 'builtin', builtin: 'calculator' }
const code = { type: 'code', name: 'compute', source: 'export default () => 1' }
const changes = (before: object[], after: object[]) => changesBetween({ tools: before }, { tools: after })

test('an item that is added, or removed, is one change, and other items are none', () => {
  expect(changes([code], [code, calculator])).toEqual([
    { path: 'tools.1', kind: 'added', before: undefined, after: calculator },
  ])
  expect(changes([orders, code], [code])).toEqual([
    { path: 'tools.0', kind: 'removed', before: orders, after: undefined },
  ])
  expect(changes([], [code]).map(({ kind }) => kind)).toEqual(['added'])
  // Two lists of one item each: an item of another kind is a different item.
  expect(changes([code], [calculator]).map(({ kind, path }) => [kind, path])).toEqual([
    ['removed', 'tools.0'],
    ['added', 'tools.0'],
  ])
})

test('an item that is edited has a change for each setting, where it is now', () => {
  expect(changes([orders, refund], [calculator, refund, { ...orders, timeout_ms: 20 }])).toEqual([
    { path: 'tools.0', kind: 'added', before: undefined, after: calculator },
    { path: 'tools.2.timeout_ms', before: 10, after: 20 },
    { path: 'tools', kind: 'order', before: [orders, refund], after: [refund, orders] },
  ])
  const renamed = { ...code, name: 'convert', description: 'Converts.' }
  expect(changes([code, orders], [renamed, orders])).toEqual([
    { path: 'tools.0', kind: 'removed', before: code, after: undefined },
    { path: 'tools.0', kind: 'added', before: undefined, after: renamed },
  ])
  expect(changes([orders], [{ ...orders, name: 'find_orders' }])).toEqual([
    { path: 'tools.0.name', before: 'orders', after: 'find_orders' },
  ])
})

test('an item that was moved is a change of the order only', () => {
  expect(changes([orders, refund, code], [code, orders, refund])).toEqual([
    { path: 'tools', kind: 'order', before: [orders, refund, code], after: [code, orders, refund] },
  ])
})

test('similar items are compared with the closest match, otherwise by order, and their neighbours by content', () => {
  const pii = (action: string, message: string) => ({ type: 'pii', action, message })
  const before = [pii('flag', 'a'), pii('block', 'b')]
  const after = [pii('flag', 'x'), pii('block', 'y')]
  expect(changes(before, after).map(({ path }) => path)).toEqual(['tools.0.message', 'tools.1.message'])
  expect(changes(before, [...after, pii('flag', 'z')]).map(({ path, kind }) => [path, kind])).toEqual([
    ['tools.0.message', undefined],
    ['tools.1.message', undefined],
    ['tools.2', 'added'],
  ])
  // The item with the smallest difference is the same one.
  expect(changes(before, [pii('block', 'x')])).toEqual([
    { path: 'tools.0', kind: 'removed', before: pii('flag', 'a'), after: undefined },
    { path: 'tools.0.message', before: 'b', after: 'x' },
  ])
  const [edited, added] = [pii('redact', 'a'), pii('flag', 'new')]
  const many = changes([pii('flag', 'a'), orders], [edited, orders, added])
  expect(many.map(({ path, kind }) => [path, kind])).toEqual([
    ['tools.0.action', undefined],
    ['tools.2', 'added'],
  ])
  const was = { tools: [pii('flag', 'a'), orders] }
  expect(formerValue(was, { tools: [edited, orders, added] }, 'tools.1.timeout_ms')).toBe(10)
})

test('the order of keys is not a change', () => {
  expect(changesBetween({ a: 1, b: [{ c: 1, d: 2 }] }, { b: [{ d: 2, c: 1 }], a: 1 })).toEqual([])
})

test('a setting of an item is compared with its old value, wherever the item was', () => {
  const before = { tools: [orders, refund], model: { temperature: 1, stop: ['x'] } }
  const after = { tools: [calculator, { ...refund, timeout_ms: 20 }], model: { temperature: 2 } }
  expect(formerValue(before, after, 'tools.1.timeout_ms')).toBe(10)
  expect(formerValue(before, after, 'tools.1')).toEqual(refund)
  expect(formerValue(before, after, 'tools.0.builtin')).toBeUndefined()
  expect(formerValue(before, after, 'tools')).toEqual([orders, refund])
  expect(formerValue(before, after, 'model.temperature')).toBe(1)
  expect(formerValue(before, after, 'model.stop.0')).toBe('x')
  expect(formerValue(before, after, 'later.key')).toBeUndefined()
})
