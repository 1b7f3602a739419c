import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyBundle } from './apply-bundle.ts'
import { BundleError } from './read/problem.ts'
import { type BundleParts, openBundleParts, TEST_ACTOR } from './testing/bundle-parts.ts'

const GUIDES = join(import.meta.dirname, '..', '..', '..', 'docs', 'guides')
/** Configurations of other programs: LiveKit and its SIP bridge. */
const FOREIGN = /^(?:room|api_key):/m

/** Everything that the examples name and do not describe. */
const BASE = `
    projects: [{ slug: support, name: Support }]
    llmConfigurations:
      - { slug: main, name: Main, default: true, providerId: openai-compatible, baseUrl: "https://models.example/v1", models: [{ modelId: m }, { modelId: text-embedding-3-small }] }
      - { slug: small, name: Small, providerId: sandbox, models: [{ modelId: sandbox-1 }] }
    credentials:
      - { slug: crm, name: CRM, kind: bearer, secret: a-secret, hosts: ["crm.example", "tickets.example"] }
      - { slug: search, name: Search, kind: bearer, secret: a-secret, hosts: ["api.tavily.com"] }
      - { slug: shop, name: Shop, kind: bearer, secret: a-secret, hosts: ["shop.example"] }
      - { slug: deepgram-key, name: Deepgram, kind: bearer, secret: a-secret, hosts: ["api.deepgram.com"] }
      - { slug: elevenlabs-key, name: ElevenLabs, kind: bearer, secret: a-secret, hosts: ["api.elevenlabs.io"] }
    agents:
      - { slug: billing, name: Billing, status: active }
      - { slug: shipping, name: Shipping, status: active }
      - { slug: service, name: Service, status: active }
      - { slug: lawyer, name: Lawyer, status: active }
      - { slug: reception, name: Reception, status: active }
    workflows:
      - slug: refund-flow
        name: Refund
        publish: true
        graph: { nodes: [{ id: start, type: manual-trigger, name: Start }], edges: [] }
`

/** The settings that a part of a tool lacks. */
const TOOL = ['type: http', 'name: example', 'description: An example.', 'method: GET'].join(
  '\n              ',
)

/** Lines with more indentation. */
const indented = (text: string, width: number) => text.replaceAll(/^(?=.)/gm, ' '.repeat(width))

/** The slug of the organization that a whole bundle describes; null for a part of one. */
const organizationOf = (text: string): string | null =>
  /^organizations:\n {2}- slug: ([\w-]+)/m.exec(text)?.[1] ?? null

/** A whole bundle around an example, for an organization of its own. */
function bundleOf(example: string, slug: string): string {
  const text = example
    // Files beside a bundle, which a text alone does not have.
    .replace('{ path: ./handbook.pdf }', '{ name: handbook.pdf, text: Refunds. }')
    .replace(
      'path: ./skills/refunds',
      'files: { SKILL.md: "---\\nname: refunds\\ndescription: R.\\n---\\nText." }',
    )
    .replace(
      'graph: { … }',
      'graph: { nodes: [{ id: start, type: manual-trigger, name: Start }], edges: [] }',
    )
  const organization = (body: string) =>
    `apiVersion: troupe/v1\norganizations:\n  - slug: ${slug}\n    name: Acme\n${body}`
  const agent = (body: string) =>
    organization(`    agents:\n      - slug: example\n        name: Example\n${body}`)
  const workflow = (graph: string) =>
    organization(
      `    workflows:\n      - slug: example\n        name: Example\n        publish: true\n${graph}`,
    )
  if (organizationOf(text) !== null)
    return text.startsWith('apiVersion') ? text : `apiVersion: troupe/v1\n${text}`
  if (text.startsWith('graph:')) return workflow(indented(text, 8))
  if (text.startsWith('- id:'))
    return workflow(`        graph:\n          edges: []\n          nodes:\n${indented(text, 12)}`)
  if (text.startsWith('config:')) return agent(indented(text, 8))
  if (/^(?:tools|guardrails):/.test(text)) return agent(`        config:\n${indented(text, 10)}`)
  if (text.startsWith(' '))
    return agent(`        config:\n          tools:\n            - ${TOOL}\n${indented(text, 10)}`)
  return organization(indented(text, 4))
}

const examples = globSync('*.md', { cwd: GUIDES }).flatMap((guide) => {
  const page = readFileSync(join(GUIDES, guide), 'utf8')
  return Array.from(
    page.matchAll(/^( *)```yaml\n([^`]*)^ *```/gm),
    ({ 1: margin = '', 2: body = '', index }) => ({
      where: `${basename(guide)}:${page.slice(0, index).split('\n').length}`,
      text: body.replaceAll(new RegExp(`^${margin}`, 'gm'), ''),
    }),
  )
})
const bundles = examples
  .filter(({ text }) => !FOREIGN.test(text))
  .map(({ where, text }, index) => ({ where, text, slug: organizationOf(text) ?? `example-${index}` }))

let parts: BundleParts
beforeAll(async () => {
  parts = await openBundleParts()
})
afterAll(() => parts[Symbol.asyncDispose]())

/** Applies a bundle; the reasons why it is refused, otherwise none. */
async function problemsOf(text: string, variables: Record<string, string>): Promise<string[]> {
  try {
    await applyBundle(parts, { text, variables, actor: TEST_ACTOR })
    return []
  } catch (error) {
    if (!(error instanceof BundleError)) throw error
    return error.problems.map(({ line, path, message }) => `${line} ${path}: ${message}`)
  }
}

test('the guides have examples of bundles, and two configurations of other programs', () => {
  expect(examples.length - bundles.length).toBe(2)
  expect(bundles.length).toBeGreaterThan(20)
})

test.each(bundles)('$where is a bundle, or a part of one, that can be applied', async ({ text, slug }) => {
  const variables = Object.fromEntries(
    Array.from(text.matchAll(/\$\{(\w+)\}/g), ([, name = '']) => [name, `${name}-4f9d2c81b7e3a650-kq7w`]),
  )
  const base = `apiVersion: troupe/v1\norganizations:\n  - slug: ${slug}\n    name: Acme\n${BASE}`
  expect(await problemsOf(base, {})).toEqual([])
  expect(await problemsOf(bundleOf(text, slug), variables)).toEqual([])
})
