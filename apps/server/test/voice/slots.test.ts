import type { TestAnswer } from '@troupe/test-kit/server'
import { startWebSession } from '@troupe/voice'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openVoice, type VoiceSetting } from './voice-setting.ts'

let voice: VoiceSetting
beforeAll(async () => {
  voice = await openVoice()
})
afterAll(() => voice[Symbol.asyncDispose]())

const idOf = ({ body }: TestAnswer) => (body as { sessionId: string }).sessionId

/** Five sessions of a new key, which therefore has no slot left. */
async function fullKey(): Promise<{ key: string; ids: string[] }> {
  await voice.beat()
  const key = await voice.newKey()
  const ids: string[] = []
  for (let sent = 0; sent < 5; sent += 1) ids.push(idOf(await voice.start({ key })))
  return { key, ids }
}

const statusOfNext = async (key: string) => (await voice.start({ key })).status

test('twenty starts at the same time get exactly five slots', async () => {
  // Below the endpoint, whose own limit is ten requests a minute.
  const { parts } = voice.server.context.voice
  const { organizationId, agents } = voice.server.seed
  const [agent, configuration, key] = await Promise.all([
    voice.server.context.database.read.agents.byId(organizationId, agents.organization),
    voice.server.context.database.read.voiceConfigurations.byAgent(organizationId, agents.organization),
    voice.keyId(await voice.newKey()),
  ])
  if (!agent || !configuration) throw new Error('the agent has no voice')
  const request = {
    organizationId,
    projectId: null,
    apiKeyId: key,
    agentId: agent.id,
    agentVersionId: agent.versionId,
    voiceConfigId: configuration.id,
    participantIdentity: 'caller',
    endUserRef: null,
    maxSessionS: 3_600,
  }
  const before = voice.double.rooms().length
  const starts = await Promise.allSettled(Array.from({ length: 20 }, () => startWebSession(parts, request)))
  const refused = starts.flatMap((start) => (start.status === 'rejected' ? [start.reason] : []))
  expect(refused).toHaveLength(15)
  expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['concurrent_session_limit']))
  expect(voice.double.rooms().length - before).toBe(5)
})

test('ten starts of one key over HTTP get five slots', async () => {
  const key = await voice.newKey()
  const answers = await Promise.all(Array.from({ length: 10 }, () => voice.start({ key })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([
    ...Array(5).fill(200),
    ...Array(5).fill(429),
  ])
})

describe('a slot is free again', () => {
  test('when the media server closes the room', async () => {
    const { key, ids } = await fullKey()
    expect(await statusOfNext(key)).toBe(429)
    const room = voice.double.room(`vs_${ids[0]}`)
    await voice.webhook({ event: 'room_finished', room: { name: room?.name, sid: room?.sid } })
    expect(await statusOfNext(key)).toBe(200)
  })

  test('when the caller did not join in time', async () => {
    const { key, ids } = await fullKey()
    voice.clock.advance(305_000)
    await voice.perform('voiceSessions')
    expect(await voice.session(ids[0] ?? '')).toMatchObject({
      sessionState: 'completed',
      endedReason: 'join_timeout',
    })
    await voice.beat()
    expect(await statusOfNext(key)).toBe(200)
  })

  test('after an hour, even if no caller ends the sessions', async () => {
    const { key, ids } = await fullKey()
    const { sessions } = voice.server.context.database.voice
    for (const id of ids) await sessions.joined(await voice.session(id), new Date(voice.clock.now()))
    voice.clock.advance(3_600_000)
    await voice.beat()
    expect(await statusOfNext(key)).toBe(200)
  })

  test('when the room was lost without an event', async () => {
    const { key, ids } = await fullKey()
    for (const id of ids) voice.double.loseRoom(`vs_${id}`)
    voice.clock.advance(11_000)
    await voice.perform('voiceSessions')
    voice.clock.advance(8_000)
    await voice.perform('voiceSessions')
    expect(await voice.session(ids[0] ?? '')).toMatchObject({
      sessionState: 'failed',
      endedReason: 'media_lost',
    })
    await voice.beat()
    expect(await statusOfNext(key)).toBe(200)
  })

  test('when the room could not be created', async () => {
    const key = await voice.newKey()
    await voice.beat()
    voice.double.fault('CreateRoom', { kind: 'status', status: 500, code: 'internal', message: 'no node' })
    for (let sent = 0; sent < 6; sent += 1) expect(await statusOfNext(key)).toBe(503)
    voice.double.fault('CreateRoom', null)
    expect(await statusOfNext(key)).toBe(200)
  })
})
