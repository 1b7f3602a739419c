import { expect, test } from 'vitest'
import { placeOfVersion } from './found-place.ts'
import { organizationPaths } from './paths.ts'

const ID = '6f0e0000-0000-4000-8000-000000000001'
const PARENT = '6f0e0000-0000-4000-8000-000000000002'
const paths = organizationPaths('acme')
const version = { id: ID, parentId: PARENT }
const compareOf = (href: string) => new URL(href, 'http://acme.test').searchParams.get('compare')

test('the id of a version links to its change', () => {
  const ofAgent = placeOfVersion({ ...version, kind: 'agent_version', detail: 'v5' }, paths)
  expect(ofAgent).toContain(`/agents/${PARENT}?tab=versions`)
  expect(compareOf(ofAgent)).toBe(ID)
  const ofWorkflow = placeOfVersion({ ...version, kind: 'workflow_version', detail: 'v5' }, paths)
  expect(ofWorkflow).toContain(`/workflows/${PARENT}?tab=versions`)
  expect(compareOf(ofWorkflow)).toBe('4..5')
})

test('the first version of a workflow is compared to its draft', () => {
  const first = { ...version, kind: 'workflow_version', detail: 'v1' } as const
  expect(compareOf(placeOfVersion(first, paths))).toBe('1..draft')
})
