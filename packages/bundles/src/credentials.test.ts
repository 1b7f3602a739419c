import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyBundle } from './apply-bundle.ts'
import { exportBundle } from './export-bundle.ts'
import { BundleError } from './read/problem.ts'
import { type BundleParts, openBundleParts, TEST_ACTOR } from './testing/bundle-parts.ts'

const bundle = (credentials: string, agents = '') => `
apiVersion: troupe/v1
organizations:
  - slug: acme
    name: Acme
    projects: [{ slug: support, name: Support }, { slug: sales, name: Sales }]
    credentials:
${credentials}
    agents: [${agents}]
`
const CRM = `      - { slug: crm, name: CRM, kind: bearer, secret: "\${CRM_TOKEN}", hosts: ["CRM.example", "*.crm.example"] }`
const tool = (credential: string) =>
  `{ type: http, name: get, method: GET, url: "https://crm.example/", auth_credential: ${credential} }`
const agent = (credential: string, project = 'null') =>
  `{ slug: desk, name: Desk, project: ${project}, config: { tools: [${tool(credential)}] } }`

let parts: BundleParts
beforeAll(async () => {
  parts = await openBundleParts()
})
afterAll(() => parts[Symbol.asyncDispose]())

const apply = (text: string, token = 'crm-token-1') =>
  applyBundle(parts, { text, variables: { CRM_TOKEN: token }, actor: TEST_ACTOR })

async function problemsOf(text: string): Promise<string[]> {
  const error = await apply(text).catch((caught: unknown) => caught)
  if (!(error instanceof BundleError)) throw error
  return error.problems.map(({ path, message }) => `${path.replace('organizations.0.', '')} ${message}`)
}

async function stored() {
  const organization = await parts.database.read.organizations.bySlug('acme')
  if (!organization) throw new Error('no organization')
  const [agentRow] = await parts.database.read.agents.list(organization.id)
  return { credentials: await parts.database.read.credentials.list(organization.id), agent: agentRow }
}

test('a credential is stored sealed, an agent names it by its slug, and an export has no secret', async () => {
  const applied = await apply(bundle(CRM, agent('crm')))
  expect(applied.organizations[0]?.credentials).toEqual({ created: 1, updated: 0, unchanged: 0 })
  const { credentials, agent: desk } = await stored()
  const [credential] = credentials
  expect(credential).toMatchObject({ kind: 'bearer', hosts: ['crm.example', '*.crm.example'] })
  expect(JSON.stringify(credential)).not.toContain('crm-token-1')
  const place = { purpose: 'credential.secret', id: credential?.id ?? '' } as const
  expect(parts.box.open(credential?.sealedSecret ?? '', place)).toBe('crm-token-1')
  expect(desk?.config.tools[0]).toMatchObject({ auth_credential_id: credential?.id })

  const exported = await exportBundle(parts, 'acme')
  expect(exported).not.toContain('crm-token-1')
  expect(exported).not.toContain(credential?.sealedSecret)
  expect(exported).toContain('auth_credential: crm')
  expect(exported).toContain(`# secret: "\${CRM_SECRET}"`)
  const again = await applyBundle(parts, { text: exported, variables: {}, actor: TEST_ACTOR })
  expect(again.organizations[0]).toMatchObject({
    credentials: { created: 0, updated: 0, unchanged: 1 },
    agents: { created: 0, updated: 0, unchanged: 1 },
  })
})

test('the same secret changes nothing, another one is sealed again, an absent one is kept', async () => {
  const [before] = (await stored()).credentials
  expect((await apply(bundle(CRM))).organizations[0]?.credentials.unchanged).toBe(1)
  expect((await apply(bundle(CRM), 'crm-token-2')).organizations[0]?.credentials.updated).toBe(1)
  const renamed = CRM.replace('name: CRM', 'name: Customers').replace(`secret: "\${CRM_TOKEN}", `, '')
  expect((await apply(bundle(renamed))).organizations[0]?.credentials.updated).toBe(1)
  const [after] = (await stored()).credentials
  expect(after?.sealedSecret).not.toBe(before?.sealedSecret)
  const place = { purpose: 'credential.secret', id: after?.id ?? '' } as const
  expect([after?.name, parts.box.open(after?.sealedSecret ?? '', place)]).toEqual([
    'Customers',
    'crm-token-2',
  ])
})

test('an unusable credential is refused with its path', async () => {
  const wrong = [
    '{ slug: a, name: A, kind: basic, secret: x, hosts: [a.test] }',
    '{ slug: b, name: B, kind: header, secret: x, hosts: [a.test], username: u, field: X-Key }',
    '{ slug: c, name: C, kind: bearer, hosts: [a.test] }',
    '{ slug: d, name: D, kind: bearer, secret: "a\\nb", hosts: [a.test] }',
    '{ slug: e, name: E, kind: query, secret: x, field: key, hosts: ["https://a.test", "a.test:80", "*"] }',
    '{ slug: f, name: F, kind: oauth, secret: x, hosts: [] }',
  ]
  expect((await problemsOf(bundle(wrong.map((item) => `      - ${item}`).join('\n')))).sort()).toEqual([
    'credentials.0.username is required for a credential of the kind basic',
    'credentials.1.username is not a field of the kind header',
    'credentials.2.secret is required for a new credential',
    'credentials.3.secret must be printable ASCII without spaces',
    ...[0, 1, 2].map((n) => expect.stringMatching(`^credentials.4.hosts.${n} must be a host name`)),
    expect.stringContaining('credentials.5.hosts'),
    expect.stringContaining('credentials.5.kind'),
  ])
})

test('a reference to no credential, or to one of another project, is refused with its path', async () => {
  expect(await problemsOf(bundle(CRM, agent('nobody')))).toEqual([
    'agents.0.config.tools.0.auth_credential is not a credential of this organization: nobody',
  ])
  const ofSales = CRM.replace('slug: crm', 'slug: sales-crm, project: sales')
  expect(await problemsOf(bundle(ofSales, agent('sales-crm', 'support')))).toEqual([
    'agents.0.config.tools.0.auth_credential belongs to another project than the agent: sales-crm',
  ])
})

const hook = (credential: string, url = 'https://crm.example/check') =>
  `{ input: [{ type: webhook, action: block, url: "${url}", credential: ${credential} }] }`
const guardedAgent = (credential: string, url?: string) =>
  `{ slug: aide, name: Aide }, { slug: desk, name: Desk, config: { guardrails: ${hook(credential, url)} } }`
const guardedTeam = (credential: string, url?: string) => `
    teams:
      - { slug: crew, name: Crew, project: sales, mode: parallel, lead: { agent: desk }, members: [{ agent: aide }],
          guardrails: ${hook(credential, url)} }
`

test('rules of agents and teams name a credential by its slug, including in an export', async () => {
  await apply(bundle(CRM, guardedAgent('crm')) + guardedTeam('crm'))
  const { credentials } = await stored()
  const id = credentials[0]?.id
  const { organizationId } = credentials[0]!
  const { agents, teams } = parts.database.read
  const desk = (await agents.list(organizationId)).find(({ slug }) => slug === 'desk')
  const [crew] = await teams.list(organizationId)
  const rule = { type: 'webhook', credential_id: id }
  expect(desk?.config.guardrails.input).toMatchObject([rule])
  expect(crew?.config.guardrails.input).toMatchObject([rule])
  const exported = await exportBundle(parts, 'acme')
  expect(exported.match(/ credential: crm/g)).toHaveLength(2)
  expect(exported).not.toContain('credential_id')
  const again = await applyBundle(parts, { text: exported, variables: {}, actor: TEST_ACTOR })
  expect(again.organizations[0]).toMatchObject({
    agents: { created: 0, updated: 0, unchanged: 2 },
    teams: { created: 0, updated: 0, unchanged: 1 },
  })
})

test('a rule that names no credential, one of another project, or one for another host is refused', async () => {
  const at = 'guardrails.input.0.credential'
  expect(await problemsOf(bundle(CRM, guardedAgent('nobody')) + guardedTeam('nobody'))).toEqual([
    `agents.1.config.${at} is not a credential of this organization: nobody`,
    `teams.0.${at} is not a credential of this organization: nobody`,
  ])
  const ofSupport = CRM.replace('slug: crm', 'slug: support-crm, project: support')
  expect(
    await problemsOf(bundle(ofSupport, guardedAgent('support-crm')) + guardedTeam('support-crm')),
  ).toEqual([`teams.0.${at} belongs to another project than the team: support-crm`])
  const elsewhere = 'https://elsewhere.example'
  expect(
    await problemsOf(bundle(CRM, guardedAgent('crm', elsewhere)) + guardedTeam('crm', elsewhere)),
  ).toEqual([
    `agents.1.config.${at} does not cover the host of the URL`,
    `teams.0.${at} does not cover the host of the URL`,
  ])
})
