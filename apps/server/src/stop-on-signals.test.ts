import { EventEmitter, once } from 'node:events'
import type { Agent } from '@troupe/contract'
import { STOP_SIGNALS } from '@troupe/telemetry/stop-signals'
import { seedWorkflow } from '@troupe/test-kit/seed-workflow'
import { startTestServer } from '@troupe/test-kit/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type EndingProcess, stopOnSignals } from './stop-on-signals.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

function program(drainSeconds: number, stop: () => Promise<void> = () => Promise.resolve()) {
  const steps: string[] = []
  const signals = new EventEmitter()
  const ending: EndingProcess = {
    exit: (code) => {
      steps.push(`exit ${code}`)
      signals.emit('exit')
    },
    stderr: { write: (text) => steps.push(text) },
  }
  const stopped = stopOnSignals(ending, {
    log: { info: vi.fn() },
    drainSeconds,
    ringingMs: 0,
    leave: () => steps.push('leave'),
    stop: () => {
      steps.push('stop')
      return stop()
    },
    explain: String,
  })
  for (const signal of STOP_SIGNALS) signals.on(signal, () => stopped(signal))
  return { steps, signals, exited: once(signals, 'exit') }
}
const never = () => new Promise<void>(() => {})

test.each(['SIGTERM', 'SIGHUP'])('%s leaves, serves for the configured time, then stops', async (signal) => {
  const { steps, signals, exited } = program(5)
  signals.emit(signal)
  vi.advanceTimersByTime(4_999)
  expect(steps).toEqual(['leave'])
  vi.advanceTimersByTime(1)
  await exited
  expect(steps).toEqual(['leave', 'stop', 'exit 0'])
})

test.each([
  ['SIGINT', 5],
  ['SIGTERM', 0],
] as const)('%s with %i seconds stops at once', async (signal, seconds) => {
  const { steps, signals, exited } = program(seconds)
  signals.emit(signal)
  await exited
  expect(steps).toEqual(['stop', 'exit 0'])
})

test('a second signal skips the drain and a third one ends the process', () => {
  const { steps, signals } = program(300, never)
  signals.emit('SIGTERM')
  signals.emit('SIGTERM')
  expect(steps).toEqual(['leave', 'stop'])
  signals.emit('SIGTERM')
  expect(steps).toEqual(['leave', 'stop', 'exit 1'])
})

test('a process that can’t stop is ended with an error message', () => {
  const { steps, signals } = program(0, never)
  signals.emit('SIGTERM')
  vi.advanceTimersByTime(60_000)
  expect(steps.at(-1)).toBe('exit 1')
  expect(steps.at(-2)).toContain('Stopping took too long')
})

test('during the drain, /readyz is 503 and runs are still accepted', async () => {
  vi.useRealTimers()
  await using server = await startTestServer()
  const { organizationId } = server.seed
  const workflow = await seedWorkflow(server.context.database, { organizationId, projectId: null })
  const run = () => server.call(`POST /api/v1/workflows/${workflow}/run-async`, { body: {} })
  server.context.lifecycle.beginDrain()
  expect(await server.call('GET /readyz')).toMatchObject({ status: 503 })
  expect(await run()).toMatchObject({ status: 202 })
  const created = await server.call('POST /api/v1/agents', { body: { name: 'A' } })
  await server.context.lifecycle.drain()
  const { agentId } = created.body as Agent
  expect(await server.call(`POST /api/v1/agents/${agentId}/run`, { body: { message: 'x' } })).toMatchObject({
    status: 502,
    body: { error: 'bad_gateway' },
  })
  expect(await run(), 'a queued run waits for the next process').toMatchObject({ status: 202 })
  expect(await server.call('GET /api/v1/agents')).toMatchObject({ status: 200 })
})
