import { expect, test } from 'vitest'
import { failedToken, fixesOfFault, hasToken, missingKey } from './explain-failure.ts'

// The sentences are those of packages/graph/src/interpolation and packages/nodes/src/edit-fields/edit-fields.test.ts.
const ERROR =
  'row "headline": could not resolve {{ upstream.fetch.output.user.titel }}: "titel" is not in "user" of the output of fetch (has: title). Did you mean "title"?'

test('the token of a failure is found in its sentence, and the keys that exist in the data', () => {
  const failed = failedToken(ERROR)
  expect(failed).toMatchObject({
    before: 'row "headline": could not resolve ',
    token: '{{ upstream.fetch.output.user.titel }}',
  })
  expect(`${failed?.before}${failed?.token}${failed?.after}`).toBe(ERROR)
  if (failed === null) return
  expect(missingKey(failed.path, { user: { title: 'A', n: 1 } })).toEqual({
    at: 'upstream.fetch.output.user',
    keys: [
      ['title', 'A'],
      ['n', 1],
    ],
    value: { title: 'A', n: 1 },
    rest: ['titel'],
  })
  expect(missingKey(failed.path, { user: 'text' })).toMatchObject({ keys: [], value: 'text' })
  expect(missingKey(failed.path, { user: { titel: 1 } })).toBeNull()
})

test.each([
  'is required',
  'The model {{ did }} not answer',
  'could not resolve the host',
  '',
])('another sentence has no token: %s', (error) => {
  expect(failedToken(error)).toBeNull()
})

test('a token is found in a text however it is spaced, and an escaped one is ignored', () => {
  expect(hasToken('A {{trigger.a}} b', '{{ trigger.a }}')).toBe(true)
  expect(hasToken('A \\{{trigger.a}} b', '{{ trigger.a }}')).toBe(false)
  expect(hasToken('A {{ trigger.ab }}', '{{ trigger.a }}')).toBe(false)
})

test('a key that the data has repairs a token, including inside of a list and before other keys', () => {
  const outputs = new Map([['fetch', { users: [{ title: { short: 'A' } }] }]])
  const sample = { trigger: { orders: [{ total: 3 }] }, outputs, variables: new Map() }
  const fixes = (path: string) => fixesOfFault(`could not resolve {{ ${path} }}: …`, sample, [])
  expect(fixes('trigger.orders.0.totl')).toEqual([
    { kind: 'replace', token: '{{ trigger.orders.0.totl }}', path: 'trigger.orders.0.total' },
  ])
  expect(fixes('upstream.fetch.output.users.0.titel.short')).toMatchObject([
    { path: 'upstream.fetch.output.users.0.title.short' },
  ])
  expect(fixes('trigger.orders.0.currency')).toEqual([])
  expect(fixesOfFault('The model did not answer', sample, [])).toEqual([])
})
