import { propertyOf } from '@troupe/contract'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

/** Sends requests of the operator to a new organization. */
async function organization(slug: string) {
  const headers = { authorization: `Bearer ${server.adminToken}` }
  const send = (target: string, body?: object) =>
    server.call(target, { key: null, headers, ...(body ? { body } : {}) })
  const made = await send('POST /api/builder/v1/organizations', { slug, name: 'Acme' })
  expect(made.status).toBe(201)
  return async (target: string, body?: object) => {
    const [method, path] = target.split(' ')
    return send(`${method} /api/builder/v1/organizations/${slug}${path}`, body)
  }
}

/** A bundle without the parts that differ between two organizations. */
const shared = (text: unknown) =>
  String(text)
    .replaceAll(/^\s+id: .*\n/gm, '')
    .replaceAll(/slug: (first|second)$/gm, 'slug: any')

test('a voice and a number made by operations are exported, and an empty organization that applies it exports the same', async () => {
  const first = await organization('first')
  const idOf = async (target: string, body: object, field: string) => {
    const answer = await first(target, body)
    expect(answer).toMatchObject({ status: 201 })
    return String(propertyOf(answer.body, field))
  }
  const projectId = await idOf('POST /projects', { slug: 'desk', name: 'Desk' }, 'projectId')
  const agentId = await idOf('POST /agents', { name: 'Reception', projectId }, 'agentId')
  const key = {
    slug: 'deepgram',
    name: 'Deepgram',
    kind: 'bearer',
    secret: 'token-1',
    hosts: ['api.deepgram.com'],
  }
  const credentialId = await idOf('POST /credentials', key, 'credentialId')
  const voice = {
    ...{ slug: 'reception-voice', agentId, sttProvider: 'deepgram', sttCredentialId: credentialId },
    ttsProvider: 'local-flite',
    settings: {
      language: 'en-GB',
      own: { kept: [1, 2] },
      stt: { model: 'nova-3' },
      tts: { voice: 'slt', speed: 1.1, fallbacks: [{ provider: 'deepgram', credential_id: credentialId }] },
      greeting: { mode: 'speak', text: 'Good morning: "how" can I help?' },
      call: { voicemail: 'hang_up', disclosureText: null },
    },
  }
  const voiceConfigId = await idOf('POST /voice-configurations', voice, 'voiceConfigId')
  const trunk = { slug: 'out', name: 'Out', projectId, direction: 'outbound', provisioning: 'never' }
  const trunkId = await idOf(
    'POST /phone-trunks',
    { ...trunk, address: 'sip.carrier.test', allowedCountries: ['GB'] },
    'trunkId',
  )
  const number = { slug: 'desk', e164: '+442079460100', voiceConfigId }
  await idOf(`POST /phone-trunks/${trunkId}/numbers`, number, 'phoneNumberId')

  const exported = String((await first('GET /bundle')).body)
  expect((await first('POST /bundle/plan', { text: exported, variables: {} })).body).toEqual({
    changes: [],
    errors: [],
  })
  const second = await organization('second')
  const applied = await second('POST /bundle/apply', {
    text: exported.replaceAll('# secret:', 'secret:'),
    variables: { DEEPGRAM_SECRET: 'token-1' },
    adopt: true,
  })
  expect(applied).toMatchObject({ status: 200 })
  expect(shared((await second('GET /bundle')).body)).toBe(shared(exported))
})
