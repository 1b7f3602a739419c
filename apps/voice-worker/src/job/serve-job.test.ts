import { randomUUID } from 'node:crypto'
import { initializeLogger, type JobContext, type VAD } from '@livekit/agents'
import type { ClaimedVoiceJob, JobEnd, VoiceServer } from '@troupe/voice-protocol'
import { expect, test } from 'vitest'
import { serveJob } from './serve-job.ts'

initializeLogger({ pretty: false, level: 'silent' })

test('a session whose providers cannot be set up ends as provider_error at once, and its process goes', async () => {
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
    job: { metadata: JSON.stringify({ v: 1, sid, t: 'token' }) },
    room: {},
    shutdown: (reason: string) => void shutdowns.push(reason),
  } as unknown as JobContext
  await serveJob(context, server, {} as VAD)
  expect(ends).toMatchObject([{ reason: 'provider_error', usage: [], timings: { readyMs: null } }])
  expect(shutdowns).toEqual(['provider_error'])
})
