import { expect, test } from 'vitest'
import { inRenamedOrganization } from './renamed-organization.ts'

test.for([
  ['/o/acme', '/o/globex'],
  ['/o/acme?project=p1', '/o/globex?project=p1'],
  ['/o/acme#top', '/o/globex#top'],
  ['/o/acme/agents/a1?tab=use', '/o/globex/agents/a1?tab=use'],
  ['/o/acme-labs', null],
  ['/o/acme-labs/agents', null],
  ['/o/globex/agents', null],
  ['/account', null],
  ['/x/o/acme', null],
] as const)('%s is %s after acme has become globex', ([href, renamed]) => {
  expect(inRenamedOrganization(href, 'acme', 'globex')).toBe(renamed)
})
