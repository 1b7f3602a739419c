import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyBundle } from './apply-bundle.ts'
import { exportBundle } from './export-bundle.ts'
import { BundleError } from './read/problem.ts'
import { type BundleParts, openBundleParts, TEST_ACTOR } from './testing/bundle-parts.ts'

let parts: BundleParts
beforeAll(async () => {
  parts = await openBundleParts()
})
afterAll(() => parts[Symbol.asyncDispose]())

// biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the bundle
const AUTH = 'auth: { username: u, password: "${SIP_PASSWORD}" }'
const TRUNK = `{ slug: out, name: Out, project: null, direction: outbound, status: active, provisioning: auto,
        address: "sip.carrier.test:5060", transport: udp, ${AUTH}, allowedCountries: [GB], maxConcurrentCalls: 5 }`
const NUMBER = '{ slug: desk, trunk: out, e164: "+442079460100", voiceConfiguration: writer-voice }'
const bundle = (trunks: string[], numbers: string[] = []) => `
apiVersion: troupe/v1
organizations:
  - slug: acme
    name: Acme
    projects: [{ slug: one, name: One }, { slug: two, name: Two }]
    agents: [{ slug: writer, name: Writer, project: two }]
    voiceConfigurations:
      - { slug: writer-voice, agent: writer, stt: { provider: local-pocketsphinx }, tts: { provider: local-flite } }
    trunks:
${trunks.map((trunk) => `      - ${trunk}`).join('\n')}
    phoneNumbers: [${numbers.join(', ')}]
`
const apply = (text: string, password = 'secret-1') =>
  applyBundle(parts, { text, variables: { SIP_PASSWORD: password }, actor: TEST_ACTOR })

async function problemsOf(text: string): Promise<string[]> {
  const error = await apply(text).catch((caught: unknown) => caught)
  if (!(error instanceof BundleError)) throw error
  return error.problems.map(({ line, path, message }) => {
    expect(line).toBeGreaterThan(0)
    return `${path.replace('organizations.0.', '')} ${message}`
  })
}

async function stored() {
  const { read } = parts.database
  const organization = await read.organizations.bySlug('acme')
  if (!organization) throw new Error('no organization')
  const [trunk] = await read.phone.trunks(organization.id)
  const [number] = await read.phone.numbers(organization.id)
  if (!trunk) throw new Error('no trunk')
  return { trunk, number }
}

test('a trunk waits for provisioning, with a sealed password, and applying it again changes nothing', async () => {
  const text = bundle([TRUNK], [NUMBER])
  const [applied] = (await apply(text)).organizations
  expect(applied).toMatchObject({ trunks: { created: 1 }, phoneNumbers: { created: 1 } })
  const { trunk, number } = await stored()
  expect(trunk).toMatchObject({ status: 'provisioning', provisionedAt: null, authUsername: 'u', maxCps: 1 })
  expect(trunk.authPasswordEnc).not.toContain('secret-1')
  expect(number).toMatchObject({ trunkId: trunk.id, e164: '+442079460100' })
  expect((await apply(text)).organizations[0]).toMatchObject({
    trunks: { unchanged: 1 },
    phoneNumbers: { unchanged: 1 },
  })
  const exported = await exportBundle(parts, 'acme')
  expect(exported).toMatch(/voiceConfiguration: writer-voice/)
  expect(exported).toContain(`# password: "\${OUT_PASSWORD}"`)
  expect(exported.replace('# password:', '')).not.toMatch(/password|secret-1|lkTrunk|configHash/)
  expect((await apply(exported)).organizations[0]).toMatchObject({
    trunks: { unchanged: 1 },
    phoneNumbers: { unchanged: 1 },
  })
})

test('a number is exported with its trunk, its voice and its agent', async () => {
  await apply(bundle([TRUNK]))
  const text = await exportBundle(parts, 'acme', { include: ['phone_number:desk'], dependencies: true })
  for (const list of ['trunks:', 'voiceConfigurations:', 'agents:']) expect(text).toContain(list)
})

test("a change of the media server's configuration is provisioned again; a cap is not", async () => {
  await apply(bundle([TRUNK]))
  const { trunks } = parts.database.voice
  const provision = async () => {
    const { trunk } = await stored()
    const { configHash, lkTrunkId: former } = trunk
    await trunks.provisioned(trunk, { former, lkTrunkId: `ST_${configHash}`, configHash, at: new Date() })
  }
  await provision()
  expect((await stored()).trunk.status).toBe('active')
  await apply(bundle([TRUNK.replace('maxConcurrentCalls: 5', 'maxConcurrentCalls: 9')]))
  expect((await stored()).trunk).toMatchObject({ status: 'active', maxConcurrentCalls: 9 })
  await apply(bundle([TRUNK]), 'secret-2')
  expect((await stored()).trunk).toMatchObject({ status: 'provisioning', provisionedAt: null })
  await provision()
  await apply(bundle([TRUNK.replace('sip.carrier.test', 'sip.other.test')]), 'secret-2')
  expect((await stored()).trunk.status).toBe('provisioning')
  await apply(bundle([TRUNK.replace('status: active', 'status: disabled')]), 'secret-2')
  expect((await stored()).trunk.status).toBe('disabled')
})

test('provisioning may be assumed, and omitted', async () => {
  await apply(bundle([TRUNK.replace('provisioning: auto', 'provisioning: assumed')]))
  const { trunk } = await stored()
  expect(trunk).toMatchObject({ status: 'active', lkTrunkId: null, provisionedHash: trunk.configHash })
  await apply(bundle([TRUNK.replace('provisioning: auto', 'provisioning: never')]))
  expect((await stored()).trunk).toMatchObject({
    status: 'active',
    provisionedAt: null,
    provisionedHash: null,
  })
})

test('a trunk or a voice cannot move to another project without its numbers', async () => {
  await apply(bundle([TRUNK], [NUMBER]))
  const moved = TRUNK.replace('project: null', 'project: one')
  const ofNumber = 'trunks.0.project is not the project of the agent of its number +442079460100'
  expect(await problemsOf(bundle([moved]))).toEqual([ofNumber])
  await apply(bundle([TRUNK.replace('project: null', 'project: two')]))
  const others = `[{ slug: writer, name: Writer, project: two }, { slug: other, name: Other, project: null }]`
  const spoken = bundle([])
    .replace('trunks:\n', 'trunks: []')
    .replace('[{ slug: writer, name: Writer, project: two }]', others)
    .replace('agent: writer,', 'agent: other,')
  expect(await problemsOf(spoken)).toEqual([
    'voiceConfigurations.0.agent does not belong to the project of the trunk of its number +442079460100',
  ])
  await apply(bundle([TRUNK]))
})

test('all faults are reported together, with their paths', async () => {
  const trunks = [
    TRUNK.replace('[GB]', '[GB, XX]'),
    `{ slug: b, name: B, direction: outbound, address: "http://x", auth: { username: u }, maxCallS: 5 }`,
    `{ slug: c, name: C, direction: outbound, address: sip.c.test, auth: { username: u } }`,
    `{ slug: d, name: D, project: one, direction: outbound, address: sip.d.test, quietHours: { from: "21:00", to: "08:00", timezone: Mars } }`,
  ]
  const numbers = [
    NUMBER.replace('trunk: out', 'trunk: nobody'),
    NUMBER.replace('desk', 'e').replace('writer-voice', 'no-voice'),
    NUMBER.replace('desk', 'f').replace('trunk: out', 'trunk: d'),
    NUMBER.replace('desk', 'g').replace('"+442079460100"', '"0207"'),
    NUMBER.replace('desk', 'h'),
  ]
  expect((await problemsOf(bundle(trunks, numbers))).toSorted()).toEqual([
    'phoneNumbers.0.trunk is not a trunk of this organization: nobody',
    'phoneNumbers.1.voiceConfiguration is not a voice configuration of this organization: no-voice',
    'phoneNumbers.2.voiceConfiguration does not belong to the project of the trunk: writer-voice',
    'phoneNumbers.3.e164 must be a number in E.164 format, such as +442079460100',
    'phoneNumbers.4.e164 is already a number of this trunk',
    'trunks.0.allowedCountries.1 is not a country with phone numbers: XX',
    'trunks.1.address must be a host, with or without a port, such as sip.carrier.example:5060',
    'trunks.1.maxCallS must be at least 60',
    'trunks.2.auth.password is required for a new user name',
    'trunks.3.quietHours.timezone is not a time zone, such as Europe/Paris',
  ])
})
