import type { AgentId } from '@troupe/contract'
import { expect, expectTypeOf, test } from 'vitest'
import { json, notNull, nullable, text, timestamp, uuid } from './columns.ts'
import { type RowOf, statement } from './statement.ts'

test('parameters are numbered in the order in which the text first uses them', () => {
  const rename = statement<'id' | 'name'>(
    'rename',
    (p) => `update things set name = ${p.name}, note = '::id' where id = ${p.id}::uuid and name <> ${p.name}`,
  )
  expect(rename({ id: '7', name: 'chair' })).toEqual([
    { name: 'rename', text: `update things set name = $1, note = '::id' where id = $2::uuid and name <> $1` },
    ['chair', '7'],
  ])
})

test('two calls share one statement, which the drivers prepare by its name', () => {
  const find = statement<'id'>('find_0', (p) => `select ${p.id}::int`)
  expect(find({ id: 1 })[0]).toBe(find({ id: 2 })[0])
})

test('a value that the text does not use is not sent', () => {
  const find = statement<'id'>('find_1', (p) => `select ${p.id}::int`)
  const row = { id: 1, other: 'unused' }
  expect(find(row)[1]).toEqual([1])
})

test('a text or a call with another parameter does not compile', () => {
  // @ts-expect-error The text uses a parameter that the statement does not have.
  statement<'id'>('find_2', (p) => `select ${p.key}`)
  const find = statement<'id'>('find_3', (p) => `select ${p.id}::int`)
  // @ts-expect-error The call leaves a parameter out.
  find({})
  // @ts-expect-error The call names a parameter that the statement does not have.
  find({ id: 1, key: 2 })
  // @ts-expect-error Without a type argument, a statement has no parameters.
  statement('find_none', (p) => `select ${p.id}`)
  expect(find({ id: 1 })[1]).toEqual([1])
})

test('the type of the row follows from the declared columns', () => {
  const find = statement<'id'>(
    'find_declared',
    (p) => `select * from things where id = ${p.id}::uuid`,
  ).returning({
    id: uuid<AgentId>(),
    name: nullable(text<'chair' | 'table'>()),
    endedAt: notNull(timestamp()),
    config: json<{ legs: number }>(),
  })
  expectTypeOf<RowOf<typeof find>>().toEqualTypeOf<{
    id: AgentId
    name: 'chair' | 'table' | null
    endedAt: Date
    config: { legs: number }
  }>()
  expect(find({ id: '7' })[0].columns).toEqual({
    id: { kind: 'uuid', nulls: 'none' },
    name: { kind: 'text', nulls: 'possible' },
    endedAt: { kind: 'timestamp', nulls: 'excluded' },
    config: { kind: 'json', nulls: 'none' },
  })
})

test('two texts under one name are refused, because a connection would run the text that it prepared first', () => {
  statement('count_things', () => 'select 1')
  expect(() => statement('count_things', () => 'select 2')).toThrow(
    'There are two statements with the name count_things.',
  )
  expect(() => statement('count_things', () => 'select 1')).not.toThrow()
})
