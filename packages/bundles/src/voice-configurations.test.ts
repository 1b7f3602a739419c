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

const VOICE =
  '{ slug: desk-voice, agent: desk, stt: { provider: local-pocketsphinx }, tts: { provider: local-flite, voice: slt }, settings: { language: en, ownKey: kept } }'
const bundle = (...voices: string[]) => `
apiVersion: troupe/v1
organizations:
  - slug: acme
    name: Acme
    projects: [{ slug: one, name: One }, { slug: two, name: Two }]
    credentials:
      - { slug: deepgram, name: D, kind: bearer, secret: token-1, hosts: [api.deepgram.com] }
      - { slug: of-one, name: O, project: one, kind: bearer, secret: token-1, hosts: [api.deepgram.com] }
    agents: [{ slug: desk, name: Desk }, { slug: shop, name: Shop, project: two }]
    voiceConfigurations: [${voices.join(', ')}]
`
const apply = (text: string) => applyBundle(parts, { text, variables: {}, actor: TEST_ACTOR })

async function problemsOf(text: string): Promise<string[]> {
  const error = await apply(text).catch((caught: unknown) => caught)
  if (!(error instanceof BundleError)) throw error
  return error.problems.map(({ path, message }) => `${path.replace('organizations.0.', '')} ${message}`)
}

test('a voice is written once, with unknown settings, and an export has it unchanged', async () => {
  expect((await apply(bundle(VOICE))).organizations[0]?.voiceConfigurations).toMatchObject({ created: 1 })
  expect((await apply(bundle(VOICE))).organizations[0]?.voiceConfigurations).toMatchObject({ unchanged: 1 })
  const organization = await parts.database.read.organizations.bySlug('acme')
  if (!organization) throw new Error('no organization')
  const [stored] = await parts.database.read.voiceConfigurations.list(organization.id)
  expect(stored).toMatchObject({
    sttProvider: 'local-pocketsphinx',
    ttsProvider: 'local-flite',
    projectId: null,
    settings: { language: 'en', ownKey: 'kept', tts: { voice: 'slt' } },
  })
  const exported = await exportBundle(parts, 'acme')
  expect(exported).toMatch(/agent: desk/)
  expect((await apply(exported)).organizations[0]?.voiceConfigurations).toMatchObject({ unchanged: 1 })
  const other = VOICE.replace('local-flite', 'local-espeak')
  expect((await apply(bundle(other))).organizations[0]?.voiceConfigurations).toMatchObject({ updated: 1 })
})

test('a voice belongs to the project of its agent and uses credentials that the agent may use', async () => {
  const voice = (credential: string) =>
    `{ slug: shop-voice, agent: shop, stt: { provider: deepgram, credential: ${credential} }, tts: { provider: local-flite } }`
  expect(await problemsOf(bundle(voice('of-one')))).toEqual([
    'voiceConfigurations.0.stt.credential belongs to another project than the agent: of-one',
  ])
  expect(await problemsOf(bundle(voice('nobody')))).toEqual([
    'voiceConfigurations.0.stt.credential is not a credential of this organization: nobody',
  ])
  await apply(bundle(voice('deepgram')))
  const organization = await parts.database.read.organizations.bySlug('acme')
  if (!organization) throw new Error('no organization')
  const stored = await parts.database.read.voiceConfigurations.list(organization.id)
  const [two] = (await parts.database.read.projects.list(organization.id)).filter(
    ({ slug }) => slug === 'two',
  )
  expect(stored.find(({ slug }) => slug === 'shop-voice')).toMatchObject({ projectId: two?.id })
  expect(await exportBundle(parts, 'acme')).toMatch(/credential: deepgram/)
})

test('fallbacks name their credentials by slug, and an export applied to an empty organization is exported the same', async () => {
  const voice =
    '{ slug: shop-voice, agent: shop, stt: { provider: local-pocketsphinx, fallbacks: [{ provider: deepgram, credential: deepgram, model: nova-3 }] }, tts: { provider: deepgram, credential: deepgram, fallbacks: [{ provider: local-espeak, voice: en-gb }] } }'
  await using other = await openBundleParts()
  const text = bundle(voice)
  await applyBundle(other, { text, variables: {}, actor: TEST_ACTOR })
  const organization = await other.database.read.organizations.bySlug('acme')
  if (!organization) throw new Error('no organization')
  const [stored] = await other.database.read.voiceConfigurations.list(organization.id)
  expect(stored?.settings).toEqual({
    stt: { fallbacks: [{ provider: 'deepgram', model: 'nova-3', credential_id: stored?.ttsCredentialId }] },
    tts: { fallbacks: [{ provider: 'local-espeak', voice: 'en-gb' }] },
  })
  const exported = await exportBundle(other, 'acme')
  expect(exported).toMatch(/fallbacks:\s+- provider: deepgram\s+model: nova-3\s+credential: deepgram/)
  await using empty = await openBundleParts()
  const variables = { DEEPGRAM_SECRET: 'token-1', OF_ONE_SECRET: 'token-2' }
  const withSecrets = exported.replaceAll('# secret:', 'secret:')
  await applyBundle(empty, { text: withSecrets, variables, actor: TEST_ACTOR })
  expect(await exportBundle(empty, 'acme')).toBe(exported)
})

test.for<[string, string, string]>([
  [
    'an agent that does not exist',
    VOICE.replace('agent: desk', 'agent: nobody'),
    'voiceConfigurations.0.agent is not an agent of this organization: nobody',
  ],
  [
    'an agent that has another voice',
    VOICE.replace('desk-voice', 'second-voice'),
    'voiceConfigurations.0.agent already has the voice configuration desk-voice',
  ],
  [
    'an unknown provider',
    VOICE.replace('local-flite', 'cartesia'),
    'voiceConfigurations.0.tts.provider must be one of: deepgram, elevenlabs, openai, google, local-flite, local-espeak',
  ],
  [
    'a fallback with a credential for another host',
    VOICE.replace(
      'provider: local-flite,',
      'provider: local-flite, fallbacks: [{ provider: openai, credential: deepgram }],',
    ),
    'voiceConfigurations.0.tts.fallbacks.0.credential does not cover the host of the provider, https://api.openai.com/v1: deepgram',
  ],
  [
    'a fallback with a credential that does not exist',
    VOICE.replace(
      'provider: local-flite,',
      'provider: local-flite, fallbacks: [{ provider: openai, credential: nobody }],',
    ),
    'voiceConfigurations.0.tts.fallbacks.0.credential is not a credential of this organization: nobody',
  ],
  [
    'delays in the wrong order',
    VOICE.replace('language: en', 'turn: { minDelayMs: 2000, maxDelayMs: 1000 }'),
    'voiceConfigurations.0.settings.turn.minDelayMs must be at most maxDelayMs, 1000',
  ],
  [
    'a setting of the wrong type',
    VOICE.replace('language: en', 'turn: { minDelayMs: 50 }'),
    'voiceConfigurations.0.settings.turn.minDelayMs must be at least 100',
  ],
])('%s is refused with its line', async ([, voice, problem]) => {
  await apply(bundle(VOICE))
  expect(await problemsOf(bundle(voice))).toEqual([problem])
})
