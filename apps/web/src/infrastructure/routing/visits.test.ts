import type { ParsedLocation } from '@tanstack/react-router'
import { expect, test } from 'vitest'
import { isOtherPage } from './visits.ts'

test('a page is another one by its path or a hash that leads somewhere in it, not by its search parameters', () => {
  const isOther = isOtherPage()
  const opened = [
    '/agents',
    '/agents?q=a',
    // The skip link, whose hash stays in the URL while sections are opened.
    '/agents?q=a#content',
    '/agents?open=tools#content',
    '/agents?open=tools',
    '/teams#content',
    '/teams#rows',
  ].map((path) => {
    const { pathname, search, hash } = new URL(path, 'http://localhost')
    const location = { pathname, searchStr: search, hash: hash.slice(1) } as ParsedLocation
    return isOther({ location })
  })
  expect(opened).toEqual([true, false, true, false, false, true, true])
})
