import type { OrganizationId } from '@troupe/contract'
import { createWorkflow } from '@troupe/operations/workflows/create-workflow'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyBundle } from '../apply-bundle.ts'
import { exportBundle } from '../export-bundle.ts'
import { type BundleParts, openBundleParts, TEST_ACTOR } from '../testing/bundle-parts.ts'
import { Organizations } from '../testing/organizations.ts'
import { importWorkflow } from './import-workflow.ts'
import { difyExportOfEveryType, n8nExportOfEveryType } from './testing/exports.ts'

let parts: BundleParts
let slug: string
let organizationId: OrganizationId

/** Two imports in the project `one`, whose steps with agents and teams use those of the organization. */
beforeAll(async () => {
  parts = await openBundleParts()
  const organizations = new Organizations(parts)
  slug = await organizations.furnished()
  organizationId = await organizations.id(slug)
  const { read } = parts.database
  const agentId = (await read.agents.list(organizationId)).find((agent) => agent.slug === 'a')?.id
  const teamId = (await read.teams.list(organizationId)).find((team) => team.slug === 'desk')?.id
  const projectId = (await read.projects.list(organizationId)).find((project) => project.slug === 'one')?.id
  if (!agentId || !teamId || !projectId) throw new Error('the organization is not furnished')
  for (const [name, exported] of [
    ['From n8n', n8nExportOfEveryType()],
    ['From Dify', difyExportOfEveryType()],
  ] as const) {
    const imported = importWorkflow(exported)
    if (!imported.ok) throw new Error(imported.fault)
    const { graph } = imported.value
    const chosen = (type: string) =>
      type === 'ai-agent' ? { agentId } : type === 'team-step' ? { teamId } : {}
    const nodes = graph.nodes.map((node) => ({ ...node, config: { ...node.config, ...chosen(node.type) } }))
    const team = { id: 'team', type: 'team-step', name: 'A team', config: { teamId, message: 'm' } }
    const draft = { ...graph, nodes: [...nodes, team], expose: 'mcp' }
    const made = await createWorkflow(parts, { organizationId, projectId }, TEST_ACTOR, { name, draft })
    expect(made.draft).toMatchObject({ edges: graph.edges, expose: 'mcp' })
  }
})
afterAll(() => parts[Symbol.asyncDispose]())

/** The drafts of an organization by name, with the slugs of agents and teams for their ids, and their projects. */
async function draftsOf({ database: { read } }: BundleParts, id: OrganizationId) {
  const slugs = new Map<string, string | null>()
  for (const { id: one, slug: named } of await read.agents.list(id)) slugs.set(one, named)
  for (const { id: one, slug: named } of await read.teams.list(id)) slugs.set(one, named)
  for (const { id: one, slug: named } of await read.projects.list(id)) slugs.set(one, named)
  const withSlugs = (_key: string, value: unknown) =>
    typeof value === 'string' ? (slugs.get(value) ?? value) : value
  const found = []
  for (const { id: one, name, projectId } of (
    await read.workflows.page(
      { organizationId: id, projectId: null },
      { projectId: null, page: 1, limit: 100 },
    )
  ).rows) {
    const workflow = await read.workflows.byId(id, one)
    found.push({
      name,
      project: slugs.get(projectId ?? ''),
      draft: JSON.stringify(workflow?.draft, withSlugs),
    })
  }
  return found.toSorted((a, b) => a.name.localeCompare(b.name))
}

test('an import from n8n and Dify is the same graph after its bundle was applied on another instance', async () => {
  const text = await exportBundle(parts, slug)
  await using other = await openBundleParts()
  await applyBundle(other, { text, variables: {}, actor: TEST_ACTOR })
  const there = await other.database.read.organizations.bySlug(slug)
  if (!there) throw new Error('the organization is missing')
  const here = await draftsOf(parts, organizationId)
  expect(here.map(({ name, project }) => [name, project])).toEqual([
    ['From Dify', 'one'],
    ['From n8n', 'one'],
  ])
  expect(await draftsOf(other, there.id)).toEqual(here)
  expect(await exportBundle(other, slug)).toBe(text)
}, 60_000)

test('a bundle without ids creates the same graphs in another project', async () => {
  const before = await draftsOf(parts, organizationId)
  const { rows } = await parts.database.read.workflows.page(
    { organizationId, projectId: null },
    { projectId: null, page: 1, limit: 100 },
  )
  const include = rows.map(({ id }) => `workflow:${id}`)
  const text = await exportBundle(parts, slug, { include, dependencies: false })
  const moved = text
    .replaceAll(/^ {8}id: .*\n/gm, '')
    .replaceAll(/^( {6}- slug: .*)$/gm, '$1-copy')
    .replaceAll(/^ {8}project: one$/gm, '        project: two')
  const { organizations } = await applyBundle(parts, { text: moved, variables: {}, actor: TEST_ACTOR })
  expect(organizations[0]?.workflows).toEqual({ created: 2, updated: 0, unchanged: 0 })
  const after = await draftsOf(parts, organizationId)
  expect(after.filter(({ project }) => project === 'one')).toEqual(before)
  const copies = after.filter(({ project }) => project === 'two')
  expect(copies).toEqual(before.map((one) => ({ ...one, project: 'two' })))
}, 60_000)
