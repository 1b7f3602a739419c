import { newId, VoiceSessionId } from '@troupe/contract'
import type { VoiceSessionRecord } from '@troupe/voice'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SessionWatch } from './session-watch.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Seen = Pick<VoiceSessionRecord, 'id' | 'kind' | 'answeredAt' | 'sessionState'>

const row = (changes: Partial<Seen> = {}) =>
  ({
    id: newId(VoiceSessionId),
    kind: 'web',
    answeredAt: null,
    sessionState: 'active',
    ...changes,
  }) as VoiceSessionRecord

function fail(error: unknown): void {
  throw error
}

/** Rows of a database, and the recorded queries. */
function rowsOf(...sessions: VoiceSessionRecord[]) {
  const rows = new Map(sessions.map((session) => [session.id, session]))
  const asked: VoiceSessionId[][] = []
  return {
    rows,
    asked,
    read: async (ids: readonly VoiceSessionId[]) => {
      asked.push([...ids])
      return ids.flatMap((id) => rows.get(id) ?? [])
    },
  }
}

test('all sessions are read by one statement a second, each once, and none when nothing is watched', async () => {
  const [one, other] = [row(), row()]
  const { asked, read } = rowsOf(one, other)
  const watch = new SessionWatch({ read, onFailure: fail })
  const stops = [one, one, other].map((session) => watch.add(session, () => {}))
  await vi.advanceTimersByTimeAsync(3_000)
  expect(asked).toEqual([
    [one.id, other.id],
    [one.id, other.id],
    [one.id, other.id],
  ])
  for (const stop of stops) stop()
  await vi.advanceTimersByTimeAsync(3_000)
  expect(asked).toHaveLength(3)
  expect(vi.getTimerCount()).toBe(0)
})

test('a ringing call is read five times a second until it is answered', async () => {
  const [call, web] = [row({ kind: 'outbound_call', sessionState: 'dialing' }), row()]
  const { rows, asked, read } = rowsOf(call, web)
  using watch = new SessionWatch({ read, onFailure: fail })
  const heard: (Date | null | undefined)[] = []
  watch.add(call, (current) => heard.push(current?.answeredAt))
  watch.add(web, () => {})
  await vi.advanceTimersByTimeAsync(1_000)
  expect(asked.map(({ length }) => length)).toEqual([1, 1, 1, 1, 2])
  rows.set(call.id, { ...call, answeredAt: new Date(0) })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(asked.slice(5).map(({ length }) => length)).toEqual([1, 2])
  expect(heard.at(-1)).toEqual(new Date(0))
})

test('a deleted row is null, and a removed listener gets no more calls', async () => {
  const [one, other] = [row(), row()]
  const { rows, read } = rowsOf(one, other)
  using watch = new SessionWatch({ read, onFailure: fail })
  const heard: unknown[] = []
  watch.add(one, (current) => heard.push(current))
  const stop = watch.add(other, (current) => heard.push(current))
  rows.delete(one.id)
  await vi.advanceTimersByTimeAsync(900)
  stop()
  await vi.advanceTimersByTimeAsync(100)
  expect(heard).toEqual([null])
})

test('a slow database gets one statement at a time, and a failed one is retried', async () => {
  const session = row()
  const answers: PromiseWithResolvers<VoiceSessionRecord[]>[] = []
  const failures: unknown[] = []
  using watch = new SessionWatch({
    read: () => {
      const answer = Promise.withResolvers<VoiceSessionRecord[]>()
      answers.push(answer)
      return answer.promise
    },
    onFailure: (error) => failures.push(error),
  })
  const heard: unknown[] = []
  watch.add(session, (current) => heard.push(current))
  await vi.advanceTimersByTimeAsync(5_000)
  expect(answers).toHaveLength(1)
  answers[0]?.reject(new Error('away'))
  await vi.advanceTimersByTimeAsync(1_000)
  answers[1]?.reject(new Error('still away'))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(failures).toEqual([new Error('away')])
  expect(answers).toHaveLength(3)
  answers[2]?.resolve([session])
  await vi.advanceTimersByTimeAsync(0)
  expect(heard).toEqual([session])
})
