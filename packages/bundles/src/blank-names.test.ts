import { expect, test } from 'vitest'
import { applyBundle } from './apply-bundle.ts'
import { exportBundle } from './export-bundle.ts'
import { openBundleParts, TEST_ACTOR } from './testing/bundle-parts.ts'

const bundle = (name: string, agent = 'Ana') => `
apiVersion: troupe/v1
organizations:
  - slug: acme
    name: Acme
    projects: [{ slug: shop, name: ${name} }]
    knowledgeBases: [{ slug: handbook, name: ${name} }]
    agents:
      - slug: ana
        name: ${agent}
`

test('an invisible name is refused with its line, unless it is already stored', async () => {
  await using parts = await openBundleParts()
  const apply = (text: string) => applyBundle(parts, { text, variables: {}, actor: TEST_ACTOR })
  await expect(apply(bundle('"  "', '"\\u200b"'))).rejects.toMatchObject({
    problems: [
      { path: 'organizations.0.projects.0.name', message: 'must not be blank', line: 6 },
      { path: 'organizations.0.knowledgeBases.0.name', message: 'must not be blank', line: 7 },
      { path: 'organizations.0.agents.0.name', message: 'must not be blank', line: 10 },
    ],
  })
  await apply(bundle('Shop'))
  // As stored by an earlier version.
  const { read, transaction } = parts.database
  const organization = await read.organizations.bySlug('acme')
  if (!organization) throw new Error('there is no organization')
  const [project] = await read.projects.list(organization.id)
  await transaction(async ({ write }) => {
    if (project) await write.projects.put({ ...project, name: ' ' })
  })
  const exported = await exportBundle(parts, 'acme')
  expect(exported).toContain('name: " "')
  expect((await apply(exported)).organizations[0]?.projects).toEqual({ created: 0, updated: 0, unchanged: 1 })
  await expect(apply(exported.replace('name: " "', 'name: "   "'))).rejects.toMatchObject({
    problems: [{ path: 'organizations.0.projects.0.name' }],
  })
})
