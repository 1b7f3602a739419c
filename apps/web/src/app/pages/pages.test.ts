import { expect, test } from 'vitest'
import { pageSubject } from '../../core/url/page-subject.ts'
import { PAGES } from './pages.ts'

const ID = '6f0e0000-0000-4000-8000-000000000001'
/** Pages whose content is not read by a single operation. */
const WITHOUT = ['account', 'settings/api', 'settings/models/new', 'phone/trunks/$trunkId']

test.for(PAGES.map(({ path }) => path))('the page %s names the operation that reads it', (path) => {
  const address = path === '/' ? '' : `/${path.replace(/\$\w+/, ID)}`
  expect(pageSubject(`/o/acme${address}`) === null).toBe(WITHOUT.includes(path))
})
