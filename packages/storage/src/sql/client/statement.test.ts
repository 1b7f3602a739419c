import { expect, test } from 'vitest'
import { statement } from './statement.ts'

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
  const find = statement<'id'>('find', (p) => `select ${p.id}::int`)
  expect(find({ id: 1 })[0]).toBe(find({ id: 2 })[0])
})

test('a value that the text does not use is not sent', () => {
  const find = statement<'id'>('find', (p) => `select ${p.id}::int`)
  const row = { id: 1, other: 'unused' }
  expect(find(row)[1]).toEqual([1])
})

test('a text or a call with another parameter does not compile', () => {
  // @ts-expect-error The text uses a parameter that the statement does not have.
  statement<'id'>('find', (p) => `select ${p.key}`)
  const find = statement<'id'>('find', (p) => `select ${p.id}::int`)
  // @ts-expect-error The call leaves a parameter out.
  find({})
  // @ts-expect-error The call names a parameter that the statement does not have.
  find({ id: 1, key: 2 })
  // @ts-expect-error Without type argument a statement has no parameters.
  statement('find', (p) => `select ${p.id}`)
  expect(find({ id: 1 })[1]).toEqual([1])
})
