import { isJsonObject } from '@troupe/contract'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { expect, test } from 'vitest'
import { newItem } from './new-item.ts'
import { propertiesOf } from './node-schema.ts'

function itemOf(nodeType: string, key: string): object {
  const schema = NODE_TYPES.get(nodeType)?.schema ?? {}
  const [, list] = propertiesOf(schema, {}).find(([name]) => name === key) ?? []
  return isJsonObject(list?.items) ? list.items : {}
}

test('a new question of a form is one line of text', () => {
  expect(newItem(itemOf('form-trigger', 'fields'))).toEqual({ type: 'text' })
})

test('a new field of a webhook and of a review is a text', () => {
  expect(newItem(itemOf('http-request', 'fields'))).toEqual({ type: 'string' })
  expect(newItem(itemOf('human-review', 'fields'))).toEqual({ type: 'text' })
})

test('a choice with a default, and an item without choices, start empty', () => {
  const schema = { required: ['mode'], properties: { mode: { enum: ['a', 'b'], default: 'b' } } }
  expect(newItem(schema)).toEqual({})
  expect(newItem(itemOf('classify', 'classes'))).toEqual({})
})
