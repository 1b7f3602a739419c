import { type OpenWebhookSecrets, openWebhookSecrets } from '@troupe/operations/webhooks/webhook-secrets'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportBundle } from './export-bundle.ts'
import { type BundleParts, openBundleParts } from './testing/bundle-parts.ts'
import { Organizations } from './testing/organizations.ts'

let parts: BundleParts
let organizations: Organizations
beforeAll(async () => {
  parts = await openBundleParts()
  organizations = new Organizations(parts)
})
afterAll(() => parts[Symbol.asyncDispose]())

const GRAPH = {
  nodes: [{ id: 'hook', type: 'http-request', name: 'Hook', position: { x: 0, y: 0 }, config: {} }],
  edges: [],
}

/** The part of a bundle with one workflow. */
function hook({ slug = 'hook', publish = true, webhook = '', graph = GRAPH as unknown } = {}): string {
  const given = webhook === '' ? '' : `webhook: ${webhook}, `
  return `    workflows: [{ slug: ${slug}, name: Hook, publish: ${publish}, ${given}graph: ${JSON.stringify(graph)} }]`
}

async function secretsOf(organization: string, slug = 'hook'): Promise<OpenWebhookSecrets> {
  const { read } = parts.database
  const organizationId = await organizations.id(organization)
  const workflow = (await read.workflows.list(organizationId)).find((row) => row.slug === slug)
  const stored = workflow && (await read.webhooks.secrets(organizationId, workflow.id))
  if (!stored) throw new Error('the webhook is missing')
  return openWebhookSecrets(parts.box, workflow.id, stored, Date.now())
}

test('the first publish mints a token and a secret, and no later one changes them', async () => {
  const slug = await organizations.furnished()
  await organizations.apply(slug, hook())
  const first = await secretsOf(slug)
  expect(first.token).toMatch(/^[0-9A-Za-z]{43}$/)
  expect(first.signingSecret).toMatch(/^whs_[0-9a-f]{64}$/)
  const changed = { ...GRAPH, nodes: [{ ...GRAPH.nodes[0], name: 'Another name' }] }
  expect((await organizations.apply(slug, hook({ graph: changed }))).workflows).toMatchObject({ updated: 1 })
  expect(await secretsOf(slug)).toEqual(first)
})

test('a given token and secret are stored unchanged, once', async () => {
  const slug = await organizations.furnished()
  const given = hook({ webhook: '{ token: token-of-the-shop, signingSecret: secret-of-the-shop }' })
  await organizations.apply(slug, given)
  expect(await secretsOf(slug)).toEqual({
    token: 'token-of-the-shop',
    signingSecret: 'secret-of-the-shop',
    previous: null,
  })
  expect((await organizations.apply(slug, given)).workflows).toMatchObject({ unchanged: 1 })
  expect((await organizations.apply(slug, hook())).workflows).toMatchObject({ unchanged: 1 })
})

test('another secret replaces the previous one, which is accepted for a day', async () => {
  const slug = await organizations.furnished()
  await organizations.apply(slug, hook({ webhook: '{ signingSecret: first-secret }' }))
  const { token } = await secretsOf(slug)
  const { workflows } = await organizations.apply(slug, hook({ webhook: '{ signingSecret: second-secret }' }))
  expect(workflows).toMatchObject({ updated: 1 })
  const rotated = await secretsOf(slug)
  expect(rotated).toMatchObject({
    token,
    signingSecret: 'second-secret',
    previous: { secret: 'first-secret' },
  })
})

test.for<[string, Parameters<typeof hook>[0], string]>([
  ['a token that is too short', { webhook: '{ token: short }' }, 'workflows.0.webhook.token: '],
  ['a token that no path can hold', { webhook: '{ token: "a token" }' }, 'workflows.0.webhook.token: '],
  [
    'a secret that is too short',
    { webhook: '{ signingSecret: short }' },
    'workflows.0.webhook.signingSecret: ',
  ],
  [
    'settings without a publish',
    { publish: false, webhook: '{ token: long-enough }' },
    'workflows.0.webhook: must be given together with publish: true',
  ],
  ['a key that nobody knows', { webhook: '{ url: https://example.com }' }, 'workflows.0.webhook.url: '],
])('%s is refused at its position', async ([, given, problem]) => {
  const slug = await organizations.furnished()
  const found = await organizations.problems(slug, hook(given))
  expect(found).toEqual([expect.stringContaining(problem)])
})

test('the token of another workflow is refused', async () => {
  const slug = await organizations.furnished()
  await organizations.apply(slug, hook({ webhook: '{ token: token-of-one }' }))
  const found = await organizations.problems(
    slug,
    hook({ slug: 'other', webhook: '{ token: token-of-one }' }),
  )
  expect(JSON.stringify(found)).toContain('is the token of another workflow')
})

test('an export has neither token nor secret', async () => {
  const slug = await organizations.furnished()
  await organizations.apply(
    slug,
    hook({ webhook: '{ token: token-for-export, signingSecret: secret-for-export }' }),
  )
  const text = await exportBundle(parts, slug)
  expect(text).toContain('hook')
  expect(text).not.toMatch(/token-for-export|secret-for-export/)
})
