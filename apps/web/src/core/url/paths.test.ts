import { expect, test } from 'vitest'
import { organizationPaths, withSearch } from './paths.ts'

test('a slug or an id never becomes another place', () => {
  const paths = organizationPaths('a/b')
  expect(paths.agent('../x?y')).toBe('/o/a%2Fb/agents/..%2Fx%3Fy')
})

test('the first page of the settings is the organization', () => {
  expect(organizationPaths('acme').settings()).toBe('/o/acme/settings/organization')
})

test('empty search parameters are left out', () => {
  expect(withSearch('/o/acme/runs', { status: 'failed', q: '', node: null, at: undefined })).toBe(
    '/o/acme/runs?status=failed',
  )
})
