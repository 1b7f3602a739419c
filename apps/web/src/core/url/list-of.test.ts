import { expect, test } from 'vitest'
import { listOf, searchOfList } from './list-of.ts'

const ID = '6f0e0000-0000-4000-8000-000000000001'

test.for([
  [`/o/acme/agents/${ID}`, '/o/acme/agents'],
  [`/o/acme/settings/models/${ID}`, '/o/acme/settings/models'],
  [`/o/acme/tools/servers/${ID}`, '/o/acme/tools'],
  [`/o/acme/phone/trunks/${ID}`, '/o/acme/phone'],
  ['/o/acme/agents', null],
  ['/o/acme/settings/models/new', null],
  [`/o/${ID}`, null],
] as const)('%s is a thing of %s', ([pathname, list]) => {
  expect(listOf(pathname)).toBe(list)
})

test('a list is shown again as it was filtered, without the dialog that was open', () => {
  expect(searchOfList('?q=mail&create=1&page=2')).toBe('?q=mail&page=2')
  expect(searchOfList('?create=1')).toBe('')
})
