import { propertyOf } from '@troupe/contract'
import { ownOrigin, seedPerson, signIn } from '@troupe/test-kit/seed-person'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openVoice, type VoiceSetting } from './voice-setting.ts'

const WS_URL = 'ws://127.0.0.1:7880'

describe('/voice/try', () => {
  let voice: VoiceSetting
  let cookie: string
  beforeAll(async () => {
    voice = await openVoice({ VOICE_PUBLIC_WS_URL: WS_URL })
    const { context, seed } = voice.server
    const { organizationId } = seed
    cookie = await signIn(
      voice.server,
      await seedPerson(context.database, { organizationId, role: 'viewer' }),
    )
  })
  afterAll(() => voice?.[Symbol.asyncDispose]())

  const page = (headers: Record<string, string>) =>
    voice.server.app.inject({ method: 'GET', url: '/voice/try', headers })
  const start = (agentId: string, headers: Record<string, string>) =>
    voice.server.app.inject({ method: 'POST', url: '/voice/try/session', headers, payload: { agentId } })
  const own = () => ({ origin: ownOrigin(voice.server), cookie })

  test('sends visitors to the sign-in page, and back', async () => {
    const { statusCode, headers } = await page({})
    expect(statusCode).toBe(303)
    expect(headers.location).toContain(encodeURIComponent('/voice/try'))
    const ofAgent = await voice.server.app.inject('/voice/try?agent=x')
    expect(ofAgent.headers.location).toContain(encodeURIComponent('/voice/try?agent=x'))
  })

  test('lists the voice agents, and lets its script reach the media server only', async () => {
    const { statusCode, body, headers } = await page({ cookie })
    expect(statusCode).toBe(200)
    expect(body).toContain('Talk to a voice agent')
    expect(headers['content-security-policy']).toContain(
      `script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self' ${WS_URL} http://127.0.0.1:7880;`,
    )
  })

  test('starts a session for the person', async () => {
    const answer = await start(voice.server.seed.agents.organization, own())
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ wsUrl: WS_URL, token: expect.any(String) })
    const session = await voice.session(String(propertyOf(answer.json(), 'sessionId')))
    expect(session.participantIdentity).toBe(propertyOf(answer.json(), 'identity'))
    expect(session.participantIdentity).toMatch(/^try-/)
  })

  test.for([
    ['a page of another site', () => ({ origin: 'https://other.test', cookie }), 403],
    ['nobody', () => ({ origin: ownOrigin(voice.server) }), 401],
  ] as const)('starts no session for %s', async ([, headers, status]) => {
    const answer = await start(voice.server.seed.agents.organization, headers())
    expect(answer.statusCode).toBe(status)
  })

  test('starts no session with an agent of another organization, or with none', async () => {
    for (const agentId of [voice.server.seed.agents.otherOrganization, 'nonsense']) {
      expect((await start(agentId, own())).statusCode).toBe(403)
    }
  })
})

test('/voice/try does not exist where the media server is not on this machine', async () => {
  await using voice = await openVoice()
  const answer = await voice.server.app.inject({ method: 'GET', url: '/voice/try' })
  expect(answer.statusCode).toBe(404)
})
