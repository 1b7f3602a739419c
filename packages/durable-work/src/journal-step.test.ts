import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { StepUnreadable } from './interruption.ts'
import { journalStep, type StoredStep, schemaOf } from './journal-step.ts'

const ROUTE = journalStep(
  'route',
  2,
  Type.Object({ member: Type.String(), task: Type.Optional(Type.String()) }),
)

test('a stored step of the declared kind, version and shape returns its output', () => {
  const output = { member: 'm1', later: 'a property that a newer program has added' }
  expect(ROUTE.read('route:0', { name: 'route', version: 2, output })).toEqual(output)
})

test.each<[string, StoredStep, string]>([
  ['an older version', { name: 'route', version: 1, output: { member: 'm1' } }, 'reads route in version 2'],
  ['a newer version', { name: 'route', version: 3, output: { member: 'm1' } }, 'reads route in version 2'],
  ['another kind', { name: 'plan', version: 2, output: { member: 'm1' } }, 'plan in version 2'],
  ['no kind, of the first version', { name: null, version: 1, output: { member: 'm1' } }, 'without a name'],
  ['another shape', { name: 'route', version: 2, output: { member: 1 } }, 'member'],
  ['no shape', { name: 'route', version: 2, output: null }, 'route:0'],
])('a stored step of %s is not read', (_, stored, problem) => {
  const read = () => ROUTE.read('route:0', stored)
  expect(read).toThrow(StepUnreadable)
  expect(read).toThrow(problem)
})

test('a step of a program that stored no kinds is read by its shape in the first version', () => {
  const first = journalStep('names', 1, Type.Array(Type.String()))
  expect(first.read('names', { name: null, version: 1, output: ['a'] })).toEqual(['a'])
  expect(() => first.read('names', { name: null, version: 1, output: [1] })).toThrow(StepUnreadable)
})

test('the compiler refuses a schema that lacks values of its type, or has others', () => {
  const end = schemaOf<{ end: 'ok' | 'error'; texts: readonly string[] }>()
  const texts = Type.Array(Type.String())
  const [ok, error, late] = [Type.Literal('ok'), Type.Literal('error'), Type.Literal('late')]
  // @ts-expect-error: a step that ended with an error could not be read again
  end(Type.Object({ end: ok, texts }))
  // @ts-expect-error: no such end exists
  end(Type.Object({ end: Type.Union([ok, error, late]), texts }))
  const whole = journalStep('end', 1, end(Type.Object({ end: Type.Union([ok, error]), texts })))
  const stored = { name: 'end', version: 1, output: { end: 'error', texts: [] } }
  expect(whole.read('end', stored)).toEqual(stored.output)
})
