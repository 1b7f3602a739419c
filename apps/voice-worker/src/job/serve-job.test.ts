import { randomUUID } from 'node:crypto'
import { initializeLogger, type JobContext, type VAD } from '@livekit/agents'
import type { ClaimedVoiceJob, JobEnd, VoiceServer } from '@troupe/contract/voice-worker'
import { expect, test } from 'vitest'
import { UtteranceVad } from '../speech/utterance-vad.ts'
import { claimedJob } from '../testing/headless-session.ts'
import { serveJob } from './serve-job.ts'

initializeLogger({ pretty: false, level: 'silent' })

const INTERNAL = 'http://127.0.0.1:7081'
const unguarded = { allow: () => {}, isService: (url: string) => url.startsWith(INTERNAL) }

test('a session whose providers can’t be set up ends as provider_error immediately, and its process exits', async () => {
  const ends: JobEnd[] = []
  const shutdowns: string[] = []
  const sid = randomUUID()
  const claimed = {
    sessionId: sid,
    settings: { language: 'en' },
    stt: [],
    tts: [],
  } as unknown as ClaimedVoiceJob
  const server = {
    claim: async () => claimed,
    session: () => ({ end: async (end: JobEnd) => void ends.push(end) }),
  } as unknown as VoiceServer
  const context = {
    job: { metadata: JSON.stringify({ v: 1, sid, n: 1, t: 'token' }) },
    room: {},
    shutdown: (reason: string) => void shutdowns.push(reason),
  } as unknown as JobContext
  await serveJob(context, server, { vad: {} as VAD, guard: unguarded })
  expect(ends).toMatchObject([{ reason: 'provider_error', usage: [], timings: { readyMs: null } }])
  expect(shutdowns).toEqual(['provider_error'])
})

test('the networks of the job are allowed before its providers are created, except addresses of the server itself', async () => {
  const steps: string[] = []
  const choice = { provider: 'openai', model: null, baseUrl: `${INTERNAL}/v1`, apiKey: 'key' }
  const claimed = {
    ...claimedJob({}),
    stt: [{ ...choice, grammar: null }],
    tts: [{ ...choice, voice: null, speed: 1 }],
    allowedNetworks: ['10.1.0.0/16'],
  } as ClaimedVoiceJob
  const server = {
    claim: async () => claimed,
    session: () => ({ end: async ({ reason }: JobEnd) => void steps.push(reason) }),
  } as unknown as VoiceServer
  const context = {
    job: { metadata: JSON.stringify({ v: 1, sid: claimed.sessionId, n: 1, t: 'token' }) },
    room: {},
    shutdown: () => {},
  } as unknown as JobContext
  const guard = { ...unguarded, allow: (networks: readonly string[]) => void steps.push(networks.join()) }
  await serveJob(context, server, { vad: {} as VAD, guard })
  expect(steps).toEqual(['10.1.0.0/16', 'provider_error'])
})

test('a session whose room can’t be joined is left to another worker as a counted lost job', async () => {
  const ends: JobEnd[] = []
  const steps: string[] = []
  const callbacks: (() => Promise<void>)[] = []
  const claimed = claimedJob({})
  const server = {
    claim: async () => claimed,
    session: () => ({
      end: async (end: JobEnd) => void ends.push(end),
      storeItems: async () => {},
    }),
  } as unknown as VoiceServer
  const context = {
    job: { metadata: JSON.stringify({ v: 1, sid: claimed.sessionId, n: 1, t: 'token' }) },
    room: {},
    addShutdownCallback: (callback: () => Promise<void>) => void callbacks.push(callback),
    connect: () => Promise.reject(new Error('the media server is away')),
    shutdown: (reason: string) => void steps.push(reason),
  } as unknown as JobContext
  await serveJob(context, server, { vad: new UtteranceVad(), guard: unguarded })
  for (const callback of callbacks) await callback()
  expect(steps).toEqual(['abandoned'])
  expect(ends).toEqual([])
})
