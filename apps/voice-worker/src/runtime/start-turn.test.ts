import { initializeLogger } from '@livekit/agents'
import { type TurnRequest, VoiceServerError } from '@troupe/contract/voice-worker'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startTurn } from './start-turn.ts'

initializeLogger({ pretty: false, level: 'silent' })

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const REQUEST: TurnRequest = { turnSeq: 7, text: 'hello', language: 'en', kind: 'message' }
const stopping = () => new VoiceServerError(502, 'bad_gateway', 'This server is stopping.')

/** A server that refuses once per failure, and its recorded requests. */
function serverWith(...failures: Error[]) {
  const asked: TurnRequest[] = []
  const turn = async (request: TurnRequest) => {
    asked.push(request)
    const failure = failures.shift()
    if (failure) throw failure
    return { runId: 'run-1', lines: (async function* () {})() }
  }
  return { asked, turn }
}

const never = new AbortController().signal

test('a turn refused by a stopping server, or not received, is resent with its number', async () => {
  const away = new VoiceServerError(null, 'network_error', 'The server could not be reached.')
  const server = serverWith(stopping(), away)
  expect((await startTurn(server, REQUEST, never)).runId).toBe('run-1')
  expect(server.asked).toEqual([REQUEST, REQUEST, REQUEST])
})

test('a turn that the server can’t accept is sent once', async () => {
  const server = serverWith(new VoiceServerError(410, 'session_over', 'The session is over.'))
  await expect(startTurn(server, REQUEST, never)).rejects.toMatchObject({ status: 410 })
  expect(server.asked).toHaveLength(1)
})

test('an unavailable server is given up after fifteen seconds', async () => {
  const server = serverWith(stopping(), stopping())
  const turn = async (request: TurnRequest) => {
    vi.setSystemTime(Date.now() + 14_000)
    return server.turn(request)
  }
  await expect(startTurn({ turn }, REQUEST, never)).rejects.toMatchObject({ status: 502 })
  expect(server.asked).toHaveLength(2)
})

test('an interrupted turn is not resent', async () => {
  const interruption = new AbortController()
  const server = serverWith(stopping(), stopping())
  const turn = startTurn(server, REQUEST, interruption.signal)
  setTimeout(() => interruption.abort(), 20)
  await expect(turn).rejects.toMatchObject({ name: 'AbortError' })
  expect(server.asked).toHaveLength(1)
})
