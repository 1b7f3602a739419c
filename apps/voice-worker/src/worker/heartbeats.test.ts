import type { VoiceServer, WorkerHeartbeat } from '@troupe/contract/voice-worker'
import { expect, test } from 'vitest'
import { Heartbeats, jobsOf } from './heartbeats.ts'

const BEAT = { workerId: 'w', version: '1', capacity: 2, draining: false, jobs: [] }

test('a lost session is reported immediately, and again until the server has received it', async () => {
  const beats: WorkerHeartbeat[] = []
  let isAway = false
  const server: Pick<VoiceServer, 'heartbeat'> = {
    async heartbeat(beat) {
      beats.push(beat)
      if (isAway) throw new Error('away')
      return ['over']
    },
  }
  const ended: string[] = []
  const options = { server, beat: () => BEAT, onEnd: (sid: string) => ended.push(sid), onError() {} }
  await using heartbeats = new Heartbeats({ ...options, everyMs: 20 })
  await expect.poll(() => beats.length).toBeGreaterThan(0)
  isAway = true
  const lost = { sid: 's', attempt: 2 }
  heartbeats.lost(lost)
  await expect.poll(() => beats.filter(({ exited }) => exited.includes(lost)).length).toBeGreaterThan(1)
  isAway = false
  await expect.poll(() => beats.at(-1)?.exited).toEqual([])
  expect(ended).toContain('over')
})

test('an assigned job is listed before its child has reported', () => {
  const described = {
    sid: 'a',
    attempt: 1,
    state: 'ready' as const,
    callStatus: null,
    sipCallId: null,
    callerPresent: false,
    lastTurnAt: 5,
  }
  expect(
    jobsOf(
      [described],
      [
        { sid: 'a', attempt: 1 },
        { sid: 'b', attempt: 3 },
      ],
    ),
  ).toEqual([
    described,
    {
      sid: 'b',
      attempt: 3,
      state: 'starting',
      callStatus: null,
      sipCallId: null,
      callerPresent: false,
      lastTurnAt: null,
    },
  ])
})
