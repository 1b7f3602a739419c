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
] as const)('%s belongs to %s', ([pathname, list]) => {
  expect(listOf(pathname)).toBe(list)
})

test.for([
  ['?q=mail&create=1&page=2', null, '?q=mail&page=2'],
  ['?create=1', null, ''],
  ['', 'p1', '?project=p1'],
  ['?project=p1&q=mail', 'p1', '?project=p1&q=mail'],
  ['?project=p1&q=mail', 'p2', '?project=p2&q=mail'],
  ['?project=p1&q=mail', null, '?q=mail'],
  ['?q=mail', 'p2', '?q=mail&project=p2'],
] as const)('a list that was left with %s is shown again in project %s', ([left, project, search]) => {
  expect(searchOfList(left, project)).toBe(search)
})
