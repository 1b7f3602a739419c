import { randomUUID } from 'node:crypto'
import { propertyOf } from '@troupe/contract'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asMember, asOperator, type BuilderClient } from './builder-caller.ts'

let server: TestServer
let admin: BuilderClient
beforeAll(async () => {
  server = await startTestServer()
  admin = await asMember(server, 'admin', 'Ada')
})
afterAll(() => server[Symbol.asyncDispose]())

const SPEECH = { sttProvider: 'local-pocketsphinx', ttsProvider: 'local-flite' }

async function agent(name = 'Desk', projectId: string | null = null): Promise<string> {
  const answer = await admin.send('POST /agents', { name, projectId })
  return String(propertyOf(answer.body, 'agentId'))
}

async function created(given: object = {}) {
  const agentId = await agent()
  const slug = `voice-${agentId}`
  const answer = await admin.send('POST /voice-configurations', { slug, agentId, ...SPEECH, ...given })
  const voiceConfigId = String(propertyOf(answer.body, 'voiceConfigId'))
  return { answer, agentId, slug, voiceConfigId, path: `/voice-configurations/${voiceConfigId}` }
}

async function credential(given: object = {}): Promise<string> {
  const slug = `key-${randomUUID().slice(0, 8)}`
  const answer = await admin.send('POST /credentials', {
    ...{ slug, name: 'Key', kind: 'bearer', secret: 'key-of-the-provider', hosts: ['api.deepgram.com'] },
    ...given,
  })
  return String(propertyOf(answer.body, 'credentialId'))
}

describe('a voice configuration', () => {
  test('is created, listed, changed and deleted, and unknown settings are kept', async () => {
    const settings = { language: 'en', greeting: { text: 'Hello.', mood: 'kind' }, own: { key: 1 } }
    const { answer, agentId, slug, path } = await created({ settings })
    expect(answer).toMatchObject({
      status: 201,
      body: { slug, agentId, agentName: 'Desk', projectId: null, settings, phoneNumbers: [], version: 1 },
    })
    expect((await admin.send(`GET ${path}`)).body).toEqual(answer.body)
    expect((await admin.send(`GET /voice-configurations?q=${agentId}`)).body).toMatchObject({
      total: 1,
      data: [{ slug }],
    })
    const changed = await admin.send(`PUT ${path}`, { ttsProvider: 'local-espeak', version: 1 })
    expect(changed.body).toMatchObject({ ttsProvider: 'local-espeak', settings, version: 2 })
    const { data } = (await admin.send('GET /audit?entityKind=voice_configuration')).body as never as {
      data: object[]
    }
    expect(data[0]).toMatchObject({
      action: 'voice_configuration.updated',
      actor: { name: 'Ada' },
      entity: { name: slug },
      before: { ttsProvider: 'local-flite' },
      after: { ttsProvider: 'local-espeak' },
    })
    expect((await admin.send(`DELETE ${path}`)).status).toBe(204)
    expect(await admin.send(`GET ${path}`)).toMatchObject({
      status: 404,
      body: { error: 'voice_configuration_not_found' },
    })
  })

  test('is created once for any number of requests with one id', async () => {
    const id = randomUUID()
    const body = { id, slug: `voice-${id}`, agentId: await agent(), ...SPEECH }
    const answers = await Promise.all([1, 2, 3].map(() => admin.send('POST /voice-configurations', body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201])
    expect(new Set(answers.map((one) => propertyOf(one.body, 'voiceConfigId')))).toEqual(new Set([id]))
  })

  test('names every failure at once', async () => {
    const settings = {
      language: 'not a language',
      greeting: { text: 7 },
      turn: { minDelayMs: 99 },
      bargeIn: { minWords: 6 },
      silence: { afterS: 61 },
      filler: { phrases: [] },
      call: { voicemail: 'maybe' },
      tts: { speed: 3, baseUrl: 'ftp://speech.example', fallbacks: [{ provider: 'cartesia' }] },
    }
    const { answer } = await created({ settings, sttProvider: 'ears' })
    expect(answer).toMatchObject({ status: 400, body: { error: 'validation_error' } })
    const errors = propertyOf(answer.body, 'errors')
    if (!Array.isArray(errors)) throw new Error('no errors')
    expect(errors.map((one) => propertyOf(one, 'path')).sort()).toEqual([
      'settings.bargeIn.minWords',
      'settings.call.voicemail',
      'settings.filler.phrases',
      'settings.greeting.text',
      'settings.language',
      'settings.silence.afterS',
      'settings.tts.baseUrl',
      'settings.tts.fallbacks.0.provider',
      'settings.tts.speed',
      'settings.turn.minDelayMs',
      'sttProvider',
    ])
  })

  test('uses credentials available to its agent, and sends them to their hosts only', async () => {
    const ofDeepgram = await credential()
    const { answer } = await created({
      ...{ sttProvider: 'deepgram', sttCredentialId: ofDeepgram },
      ...{ ttsProvider: 'openai', ttsCredentialId: ofDeepgram },
      settings: {
        turn: { minDelayMs: 2_000, maxDelayMs: 1_000 },
        stt: {
          baseUrl: 'https://elsewhere.example',
          fallbacks: [{ provider: 'openai', credential_id: ofDeepgram }],
        },
        tts: { fallbacks: [{ provider: 'elevenlabs', credential_id: randomUUID() }] },
      },
    })
    expect(answer).toMatchObject({
      status: 400,
      body: {
        errors: [
          { path: 'settings.turn.minDelayMs', message: 'must be at most maxDelayMs, 1000' },
          { path: 'sttCredentialId', message: expect.stringContaining('must have elsewhere.example') },
          {
            path: 'settings.stt.fallbacks.0.credential_id',
            message: expect.stringContaining('api.openai.com'),
          },
          { path: 'ttsCredentialId', message: expect.stringContaining('must have api.openai.com') },
          {
            path: 'settings.tts.fallbacks.0.credential_id',
            message: 'is not a credential of this organization',
          },
        ],
      },
    })
    const mine = await created({ sttProvider: 'deepgram', sttCredentialId: ofDeepgram })
    expect(mine.answer.status).toBe(201)
    expect((await admin.send(`GET /credentials/${ofDeepgram}`)).body).toMatchObject({
      usedBy: [{ kind: 'voice_configuration', id: mine.voiceConfigId, name: mine.slug }],
    })
    expect(await admin.send(`DELETE /credentials/${ofDeepgram}`)).toMatchObject({
      status: 409,
      body: { error: 'in_use', message: expect.stringContaining('The voice configuration') },
    })
  })

  test('keep their credentials: one is not moved out of the project of the agent', async () => {
    const { projectId, otherProjectId } = server.seed
    const credentialId = await credential()
    const { answer, slug } = await created({
      agentId: await agent('Settled', projectId),
      sttProvider: 'deepgram',
      sttCredentialId: credentialId,
    })
    expect(answer.status).toBe(201)
    const path = `/credentials/${credentialId}`
    const message = `must not change: the voice configuration “${slug}” of another project uses it`
    expect(await admin.send(`PUT ${path}`, { projectId: otherProjectId, version: 1 })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'projectId', message }] },
    })
    expect((await admin.send(`PUT ${path}`, { projectId, version: 1 })).status).toBe(200)
  })

  test('belongs to the project of its agent', async () => {
    const projects = await Promise.all(
      ['First', 'Second'].map((name) =>
        admin.send('POST /projects', { name, slug: `${name.toLowerCase()}-${randomUUID().slice(0, 8)}` }),
      ),
    )
    const [project = '', otherProject = ''] = projects.map((one) => String(propertyOf(one.body, 'projectId')))
    const agentId = await agent('Shop', project)
    const ofOther = await credential({ projectId: otherProject })
    const body = { slug: `shop-${agentId}`, agentId, ...SPEECH }
    const refused = { ...body, ttsProvider: 'deepgram', ttsCredentialId: ofOther }
    expect((await admin.send('POST /voice-configurations', refused)).body).toMatchObject({
      errors: [{ path: 'ttsCredentialId', message: 'belongs to another project than the agent' }],
    })
    expect((await admin.send('POST /voice-configurations', body)).body).toMatchObject({ projectId: project })
    expect((await admin.send(`GET /voice-configurations?projectId=${project}`)).body).toMatchObject({
      total: 1,
    })
  })
})

describe('an agent', () => {
  test('has one voice, even if two are created concurrently', async () => {
    const agentId = await agent()
    const answers = await Promise.all(
      ['one', 'two', 'three'].map((name) =>
        admin.send('POST /voice-configurations', { slug: `${name}-${agentId}`, agentId, ...SPEECH }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.body).toMatchObject({
      error: 'in_use',
      message: expect.stringMatching(/^The agent “Desk” already has the voice configuration .+\.$/),
    })
  })

  test('with a voice does not get another agent’s', async () => {
    const first = await created()
    const second = await created()
    const body = { agentId: first.agentId, version: 1 }
    expect(await admin.send(`PUT ${second.path}`, body)).toMatchObject({
      status: 409,
      body: { error: 'in_use' },
    })
  })

  test('of another organization is treated as missing', async () => {
    for (const agentId of [server.seed.agents.otherOrganization, randomUUID()]) {
      const answer = await admin.send('POST /voice-configurations', { slug: 'other', agentId, ...SPEECH })
      expect(answer).toMatchObject({ status: 404, body: { error: 'agent_not_found' } })
    }
  })

  test('that is archived gets no voice', async () => {
    const agentId = await agent()
    await admin.send(`PUT /agents/${agentId}/status`, { status: 'archived' })
    const answer = await admin.send('POST /voice-configurations', { slug: 'gone', agentId, ...SPEECH })
    expect(answer).toMatchObject({ status: 409, body: { error: 'agent_archived' } })
  })
})

test('of two changes from one version, one is refused with the author of the other', async () => {
  const { path } = await created()
  const languages = ['de', 'fr', 'es']
  const answers = await Promise.all(
    languages.map((language) => admin.send(`PUT ${path}`, { settings: { language }, version: 1 })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
    error: 'version_conflict',
    current: { number: 2, changedBy: { name: 'Ada' } },
  })
  expect((await admin.send(`PUT ${path}`, { slug: 'without-version' })).status).toBe(400)
  const operator = asOperator(server)
  expect((await operator.send(`PUT ${path}`, { settings: { language: 'it' } })).status).toBe(200)
})

test('a voice used by a phone number is not deleted', async () => {
  const { path, voiceConfigId } = await created()
  const trunk = await admin.send('POST /phone-trunks', {
    ...{ slug: 'out', name: 'Out', direction: 'outbound', provisioning: 'never' },
    ...{ address: 'sip.carrier.test', allowedCountries: ['GB'] },
  })
  const number = { slug: 'desk', e164: '+442079460123', voiceConfigId }
  const added = await admin.send(`POST /phone-trunks/${propertyOf(trunk.body, 'trunkId')}/numbers`, number)
  expect(added.status).toBe(201)
  expect((await admin.send(`GET ${path}`)).body).toMatchObject({ phoneNumbers: [{ e164: '+442079460123' }] })
  expect(await admin.send(`DELETE ${path}`)).toMatchObject({
    status: 409,
    body: { error: 'in_use', message: 'The phone number +442079460123 still uses this voice configuration.' },
  })
})
