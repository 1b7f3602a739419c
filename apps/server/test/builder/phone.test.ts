import { randomUUID } from 'node:crypto'
import { startTwirpDouble, type TwirpDouble } from '@troupe/livekit/testing/twirp-double'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'

let double: TwirpDouble
let server: TestServer
beforeAll(async () => {
  double = await startTwirpDouble()
  const { httpUrl, apiKey, apiSecret } = double
  const env = {
    LIVEKIT_HTTP_URL: httpUrl,
    LIVEKIT_API_KEY: apiKey,
    LIVEKIT_API_SECRET: apiSecret,
    VOICE_PUBLIC_WS_URL: 'wss://media.example.test',
    VOICE_INTERNAL_TOKEN: 'a-random-token-of-voice-workers-7f3c91',
    VOICE_INTERNAL_LISTEN: '127.0.0.1:0',
  }
  server = await startTestServer({ env })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await double[Symbol.asyncDispose]()
})

async function send(target: string, body?: object) {
  const [method, path] = target.split(' ')
  const url = `${method} /api/builder/v1/organizations/${server.seed.organizationId}${path}`
  const headers = { authorization: `Bearer ${server.adminToken}` }
  const answer = await server.call(url, { key: null, headers, ...(body ? { body } : {}) })
  return { status: answer.status, body: answer.body as Record<string, never> }
}

const TRUNK = {
  slug: 'out',
  name: 'Out',
  direction: 'outbound',
  address: 'sip.carrier.test:5060',
  auth: { username: 'u', password: 'secret-1' },
  allowedCountries: ['GB'],
}

test('a trunk is created, provisioned, changed, disabled and deleted, and its password is never shown', async () => {
  const created = await send('POST /phone-trunks', TRUNK)
  expect(created.status).toBe(201)
  expect(created.body).toMatchObject({ status: 'provisioning', isProvisioned: false, hasPassword: true })
  const { trunkId } = created.body
  const provisioned = await send(`POST /phone-trunks/${trunkId}/provision`)
  expect(provisioned.body).toMatchObject({ status: 'active', isProvisioned: true, provisionError: null })
  expect([...double.calls.trunks.values()]).toMatchObject([{ authUsername: 'u', authPassword: 'secret-1' }])
  const number = await send(`POST /phone-trunks/${trunkId}/numbers`, {
    ...{ slug: 'desk', e164: '+442079460100', voiceConfigId: null },
  })
  expect(number.status).toBe(201)
  const auth = { username: 'u' }
  const disabled = await send(`PUT /phone-trunks/${trunkId}`, { ...TRUNK, auth, status: 'disabled' })
  expect(disabled.body).toMatchObject({ status: 'disabled', hasPassword: true, version: 2 })
  const moved = await send(`PUT /phone-trunks/${trunkId}`, { ...TRUNK, auth, address: 'sip.elsewhere.test' })
  expect(moved).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'auth.password', message: expect.stringContaining('for another address') }] },
  })
  const again = await send(`PUT /phone-trunks/${trunkId}`, { ...TRUNK, auth })
  expect(again.body).toMatchObject({ status: 'active', isProvisioned: true })
  const listed = await send('GET /phone-trunks')
  expect(listed.body.data).toMatchObject([{ slug: 'out', numbers: [{ e164: '+442079460100' }] }])
  expect(JSON.stringify(listed.body)).not.toMatch(/secret-1|authPasswordEnc|configHash|ST_/)
  expect((await send(`DELETE /phone-numbers/${number.body.phoneNumberId}`)).status).toBe(204)
  expect((await send(`DELETE /phone-trunks/${trunkId}`)).status).toBe(204)
  expect((await send('GET /phone-trunks')).body.data).toEqual([])
  expect(double.calls.trunks.size).toBe(0)
})

test('a trunk that is created twice with one id is one trunk', async () => {
  const body = { ...TRUNK, id: randomUUID(), slug: 'twice' }
  const first = await send('POST /phone-trunks', body)
  const again = await send('POST /phone-trunks', body)
  expect([first.status, again.status]).toEqual([201, 200])
  expect(again.body).toEqual(first.body)
  await send(`DELETE /phone-trunks/${body.id}`)
})

test('a changed trunk replaces its previous version in the media server', async () => {
  const { body } = await send('POST /phone-trunks', { ...TRUNK, slug: 'replaced' })
  await send(`POST /phone-trunks/${body.trunkId}/provision`)
  const auth = { username: 'u', password: 'secret-2' }
  await send(`PUT /phone-trunks/${body.trunkId}`, { ...TRUNK, slug: 'replaced', auth })
  await send(`POST /phone-trunks/${body.trunkId}/provision`)
  expect([...double.calls.trunks.values()]).toMatchObject([{ authPassword: 'secret-2' }])
  await send(`DELETE /phone-trunks/${body.trunkId}`)
})

test('the refusal of a media server is shown with the trunk, which is failed until it changes', async () => {
  double.fault('CreateSIPOutboundTrunk', {
    kind: 'status',
    status: 400,
    code: 'invalid_argument',
    message: 'no',
  })
  const { body } = await send('POST /phone-trunks', { ...TRUNK, slug: 'refused' })
  const refused = await send(`POST /phone-trunks/${body.trunkId}/provision`)
  expect(refused.body).toMatchObject({
    status: 'failed',
    provisionError: 'The media server refused the trunk; check its address, transport and headers.',
  })
  double.fault('CreateSIPOutboundTrunk', null)
  const changed = await send(`PUT /phone-trunks/${body.trunkId}`, {
    ...TRUNK,
    slug: 'refused',
    transport: 'tls',
  })
  expect(changed.body).toMatchObject({ status: 'provisioning', provisionError: null })
})

test('a do-not-call number is confirmed by a person, and removed from the list again', async () => {
  const e164 = '+442079460555'
  expect((await send('PUT /do-not-call', { e164, reason: 'asked for it' })).status).toBe(204)
  expect((await send('GET /do-not-call')).body.data).toMatchObject([{ e164, status: 'confirmed' }])
  expect((await send(`DELETE /do-not-call/${encodeURIComponent(e164)}`)).status).toBe(204)
  expect((await send(`DELETE /do-not-call/${encodeURIComponent(e164)}`)).status).toBe(404)
})

test('a number is stored in its dialed form, and removed in any notation', async () => {
  const numbers = ['+4402079460000', '+49015112345678', '+442079460000']
  expect((await send('POST /do-not-call', { numbers, reason: 'asked us' })).body).toEqual({
    added: 2,
    known: 0,
  })
  for (const e164 of ['+442079460000', '+4915112345678']) {
    const { body } = await send(`GET /do-not-call?q=${encodeURIComponent(e164)}`)
    expect(body.data).toMatchObject([{ e164 }])
  }
  for (const spelling of numbers.slice(0, 2)) {
    expect((await send(`DELETE /do-not-call/${encodeURIComponent(spelling)}`)).status).toBe(204)
  }
})

test('many numbers are added at once, and found by any grouping of their digits and by their reason', async () => {
  const old = '+33142685300'
  await send('PUT /do-not-call', { e164: old, reason: 'a letter' })
  const propose = { organizationId: server.seed.organizationId, e164: '+33142685301', reason: 'rejected' }
  await server.context.database.transaction(({ write }) =>
    write.phone.putDoNotCall({ ...propose, status: 'proposed' }),
  )
  const numbers = [old, '+33142685301', '+33142685302', '+33142685302']
  const added = await send('POST /do-not-call', { numbers, reason: 'opposition list' })
  expect(added).toEqual({ status: 200, body: { added: 2, known: 1 } })
  const listed = await send('GET /do-not-call?q=%2B33%201%2042-68')
  expect(listed.body).toMatchObject({ total: 3, page: 1, limit: 20 })
  expect(listed.body.data).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ e164: old, reason: 'a letter' }),
      expect.objectContaining({ e164: '+33142685301', status: 'confirmed', reason: 'opposition list' }),
    ]),
  )
  expect((await send('GET /do-not-call?q=OPPOSITION&limit=1')).body).toMatchObject({ total: 2, limit: 1 })
  expect((await send('GET /do-not-call?q=%25')).body).toMatchObject({ total: 0 })
  const audited = await send('GET /audit?entityKind=do_not_call&entityId=%2B33142685302')
  expect(audited.body.data).toHaveLength(1)
})

test('none of many numbers is added if one of them is invalid', async () => {
  const refused = await send('POST /do-not-call', { numbers: ['+33142685310', '0142685311'], reason: 'x' })
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'numbers.1' }] } })
  expect((await send('GET /do-not-call?q=3314268531')).body).toMatchObject({ total: 0 })
})

test('two lists with the same numbers in different orders are added concurrently', async () => {
  const numbers = Array.from({ length: 200 }, (_, index) => `+4930${1_000_000 + index}`)
  const lists = [numbers, numbers.toReversed()]
  const answers = await Promise.all(
    lists.map((one) => send('POST /do-not-call', { numbers: one, reason: 'race' })),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(answers.reduce((sum, { body }) => sum + Number(body.added), 0)).toBe(200)
})

test('a number of a project trunk has a voice of the project, and neither moves without the other', async () => {
  const { agents, projectId, otherProjectId } = server.seed
  const local = { sttProvider: 'local-pocketsphinx', ttsProvider: 'local-flite' }
  const made = await send('POST /voice-configurations', { slug: 'mine', agentId: agents.project, ...local })
  const whole = await send('POST /voice-configurations', {
    slug: 'whole',
    agentId: agents.otherProject,
    ...local,
  })
  const [mine, other] = [made.body.voiceConfigId, whole.body.voiceConfigId]
  const ofProject = { ...TRUNK, slug: 'of-project', projectId }
  const { body: trunk } = await send('POST /phone-trunks', ofProject)
  const numbers = `POST /phone-trunks/${trunk.trunkId}/numbers`
  const number = { slug: 'project-desk', e164: '+442079460188', voiceConfigId: mine }
  const foreign = await send(numbers, { ...number, voiceConfigId: other })
  const message = 'does not belong to the project of the trunk'
  expect([foreign.status, foreign.body.errors]).toEqual([400, [{ path: 'voiceConfigId', message }]])
  expect((await send(numbers, number)).status).toBe(201)

  const update = { ...ofProject, auth: { username: 'u' } }
  const moved = await send(`PUT /phone-trunks/${trunk.trunkId}`, { ...update, projectId: otherProjectId })
  expect([moved.status, moved.body.errors]).toEqual([
    400,
    [{ path: 'projectId', message: 'is not the project of the agents of the numbers +442079460188' }],
  ])
  const { body: listed } = await send('GET /phone-trunks')
  expect(listed.data).toContainEqual(
    expect.objectContaining({
      slug: 'of-project',
      projectId,
      version: 1,
      numbers: [expect.objectContaining(number)],
    }),
  )

  const { projectId: _, ...unplaced } = update
  const kept = await send(`PUT /phone-trunks/${trunk.trunkId}`, unplaced)
  expect([kept.status, kept.body.projectId], 'a change without a project').toEqual([200, projectId])

  const { status: deleted } = await send(`DELETE /voice-configurations/${other}`)
  expect(deleted).toBe(204)
  const spoken = await send(`PUT /voice-configurations/${mine}`, { agentId: agents.otherProject })
  expect([spoken.status, spoken.body.errors]).toEqual([
    400,
    [
      {
        path: 'agentId',
        message: 'does not belong to the project of the trunks of the numbers +442079460188',
      },
    ],
  ])
  const wide = await send(`PUT /phone-trunks/${trunk.trunkId}`, { ...update, projectId: null })
  expect(wide.status).toBe(200)
})

test('a number names its agent', async () => {
  const { agents } = server.seed
  const voice = await send('POST /voice-configurations', {
    ...{ slug: 'desk-voice', agentId: agents.organization },
    ...{ sttProvider: 'local-pocketsphinx', ttsProvider: 'local-flite' },
  })
  expect(voice.status).toBe(201)
  const { body: trunk } = await send('POST /phone-trunks', { ...TRUNK, slug: 'spoken' })
  const { voiceConfigId } = voice.body
  const number = { slug: 'spoken-desk', e164: '+442079460177', voiceConfigId }
  const made = await send(`POST /phone-trunks/${trunk.trunkId}/numbers`, number)
  const speaker = { agentId: agents.organization, voiceSlug: 'desk-voice', agentName: expect.any(String) }
  expect(made.body).toMatchObject({ voiceConfigId, speaker })
  const listed = await send('GET /phone-trunks')
  expect(listed.body.data).toContainEqual(
    expect.objectContaining({ slug: 'spoken', numbers: [expect.objectContaining({ speaker })] }),
  )
})
