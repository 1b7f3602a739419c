import { expect, test } from 'vitest'
import { besideOpened, keepOpenedList } from './opened-list.ts'

const keep = (...hrefs: readonly (string | undefined)[]) =>
  keepOpenedList({ count: hrefs.length, hrefAt: (index) => hrefs[index] })

test('the rows before and after the open one are found by the path of its page', () => {
  keep('/o/a/agents/1?project=p', '/o/a/agents/2?project=p', '/o/a/agents/3?project=p')
  expect(besideOpened('/o/a/agents/2', 1)).toEqual({ href: '/o/a/agents/3?project=p' })
  expect(besideOpened('/o/a/agents/2', -1)).toEqual({ href: '/o/a/agents/1?project=p' })
})

test('a list does not wrap around, and has no neighbours for a page that is not one of its rows', () => {
  keep('/o/a/agents/1', '/o/a/agents/2')
  expect([besideOpened('/o/a/agents/1', -1), besideOpened('/o/a/agents/2', 1)]).toEqual(['end', 'end'])
  expect([besideOpened('/o/a/agents/9', 1), besideOpened('/o/a/agents', 1)]).toEqual([null, null])
})

test('rows that lead nowhere, or to the page that is open, are omitted', () => {
  keep('/o/a/sessions/1', undefined, '/o/a/sessions/1?turn=2', '/o/a/sessions/3')
  expect(besideOpened('/o/a/sessions/1', 1)).toEqual({ href: '/o/a/sessions/3' })
})
