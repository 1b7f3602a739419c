import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyBundle, previewBundle } from './apply-bundle.ts'
import { describeApplied } from './describe-applied.ts'
import { exportBundle } from './export-bundle.ts'
import { BundleError } from './read/problem.ts'
import { type BundleParts, openBundleParts, TEST_ACTOR } from './testing/bundle-parts.ts'

let parts: BundleParts
beforeAll(async () => {
  parts = await openBundleParts()
})
afterAll(() => parts[Symbol.asyncDispose]())

const apply = (text: string) => applyBundle(parts, { text, variables: {}, actor: TEST_ACTOR })
const bundle = (slug: string, agents: string, more = '') => `
apiVersion: troupe/v1
organizations:
  - slug: ${slug}
    name: Acme
    projects: [{ slug: one, name: One }, { slug: two, name: Two }]
    agents:${agents}
${more}`
const agent = (slug: string, tool: string, more = '') => `
      - { slug: ${slug}, name: Ada, ${more} config: { tools: [${tool}] } }`
const WORKFLOW = (project = '') => `    workflows:
      - { slug: refund, name: Refund, ${project} publish: true,
          graph: { nodes: [{ id: start, type: manual-trigger, name: Start, position: { x: 0, y: 0 }, config: {} }], edges: [] } }`
const problemsOf = async (text: string) => {
  const error = await apply(text).catch((thrown: unknown) => thrown)
  return error instanceof BundleError
    ? error.problems.map(({ path, message }) => `${path} ${message}`)
    : error
}

test('tools name workflows and agents by slug, wherever in the bundle these are, and so does an export', async () => {
  const tools = [
    '{ type: workflow, name: refund, workflow: refund }',
    '{ type: agent, name: ask, agent: expert }',
    '{ type: code, name: sum, source: "export default (x) => x" }',
  ]
  const text = bundle('acme', agent('desk', tools.join(', ')) + agent('expert', ''), WORKFLOW())
  expect((await apply(text)).organizations[0]?.agents).toMatchObject({ created: 2 })
  expect((await apply(text)).organizations[0]?.agents).toMatchObject({ created: 0, updated: 0 })
  const exported = await exportBundle(parts, 'acme')
  expect(exported).toMatch(/workflow: refund/)
  expect(exported).toMatch(/agent: expert/)
  expect(exported).not.toMatch(/workflow_id|agent_id/)
  // The bundle only describes the agent: its workflow is already stored.
  expect(
    (await apply(bundle('acme', agent('desk', tools.join(', '))))).organizations[0]?.agents,
  ).toMatchObject({
    updated: 0,
  })
})

test('dangling references, other projects, cycles and broken scripts are problems with their paths', async () => {
  const at = 'organizations.0.agents'
  expect(await problemsOf(bundle('beta', agent('a', '{ type: workflow, name: w, workflow: none }')))).toEqual(
    [expect.stringContaining(`${at}.0.config.tools.0.workflow is not a workflow of this organization: none`)],
  )
  const two = bundle(
    'beta',
    agent('a', '{ type: workflow, name: w, workflow: refund }', 'project: one,'),
    WORKFLOW('project: two,'),
  )
  expect(await problemsOf(two)).toEqual([
    expect.stringContaining(
      `${at}.0.config.tools.0.workflow belongs to another project than the agent: refund`,
    ),
  ])
  const circle =
    agent('a', '{ type: agent, name: b, agent: b }') + agent('b', '{ type: agent, name: a, agent: a }')
  expect(await problemsOf(bundle('beta', circle))).toEqual([
    expect.stringContaining(`${at}.0.config.tools have a cycle`),
    expect.stringContaining(`${at}.1.config.tools have a cycle`),
  ])
  expect(
    await problemsOf(bundle('beta', agent('a', '{ type: code, name: c, source: "const x = 1" }'))),
  ).toEqual([expect.stringContaining(`${at}.0.config.tools.0.source does not compile`)])
})

test('a plan and an apply warn about the parts that new and changed agents do not get, with the lines', async () => {
  const tools = [
    '{ type: openapi, name: api, document: { openapi: 3.0.3 } }',
    '{ type: openapi, name: far, spec_url: "https://far.example/openapi.json" }',
    '{ type: code, name: sum, source: "export default (x) => x", input_schema: { type: object, properties: { n: { type: any } } } }',
  ]
  const text = bundle('warned', tools.map((tool, at) => agent(`a${at}`, tool)).join(''))
  const source = { text, variables: {}, actor: TEST_ACTOR }
  const at = (agentAt: number, rest: string) => `organizations.0.agents.${agentAt}.config.tools.0.${rest}`
  const lineOf = (slug: string) => text.split('\n').findIndex((line) => line.includes(`slug: ${slug},`)) + 1
  const warnings = [
    { line: lineOf('a0'), path: at(0, 'document'), message: 'offers no tool upload: Its body is a file.' },
    {
      line: lineOf('a2'),
      path: at(2, 'input_schema.properties.n.type'),
      message: 'cannot be "any" and is omitted',
    },
    {
      line: lineOf('a1'),
      path: at(1, 'spec_url'),
      message: 'offers no tools now: https://far.example/openapi.json is away.',
    },
  ]
  expect((await previewBundle(parts, source)).warnings).toEqual(warnings)
  const atStart = await applyBundle(parts, { ...source, skipsAddresses: true })
  expect(atStart.warnings).toEqual(warnings.slice(0, 2))
  expect(describeApplied(atStart)).toContain('offers no tool upload: Its body is a file.')
  // Applying it again changes nothing.
  expect(await applyBundle(parts, source)).not.toHaveProperty('warnings')
  const changed = await applyBundle(parts, { ...source, text: text.replace('name: far,', 'name: near,') })
  expect(changed.warnings).toEqual([warnings[2]])
})
