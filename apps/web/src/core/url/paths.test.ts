import { expect, test } from 'vitest'
import { organizationPaths, withSearch } from './paths.ts'

test('a slug or an id never becomes another place', () => {
  const paths = organizationPaths('a/b')
  expect(paths.agent('../x?y')).toBe('/o/a%2Fb/agents/..%2Fx%3Fy')
})

test('the first page of the settings is the organization', () => {
  expect(organizationPaths('acme').settings()).toBe('/o/acme/settings/organization')
})

test('empty search parameters are omitted', () => {
  expect(withSearch('/o/acme/runs', { status: 'failed', q: '', node: null, at: undefined })).toBe(
    '/o/acme/runs?status=failed',
  )
})

test('the project of the page stays in every address', () => {
  const paths = organizationPaths('acme', 'p1')
  expect(paths.agents).toBe('/o/acme/agents?project=p1')
  expect(paths.agent('a1', 'versions')).toBe('/o/acme/agents/a1?project=p1&tab=versions')
})
