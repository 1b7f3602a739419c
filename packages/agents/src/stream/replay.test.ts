import { newId, OrganizationId, RunId, type StreamEvent } from '@troupe/contract'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import type { StoredEvent } from '../ports/run-store.ts'
import { NO_TELEMETRY } from '../testing/no-telemetry.ts'
import { EventLog } from './event-log.ts'
import { eventsOfRow } from './replay.ts'
import { RunEvents } from './run-events.ts'

const runId = newId(RunId)
const source = { role: 'agent' as const, agentId: null, agentName: 'A', runId }

function recorder(refuse = () => {}) {
  const live: StreamEvent[] = []
  const stored: StoredEvent[] = []
  const log = new EventLog({
    runId,
    organizationId: newId(OrganizationId),
    telemetry: NO_TELEMETRY,
    fence: null,
    signals: { publish: async () => {}, subscribe: () => () => {}, [Symbol.asyncDispose]: async () => {} },
    store: {
      async appendEvents(_run, _organization, rows) {
        refuse()
        stored.push(...structuredClone(rows))
      },
    },
  })
  const events = new RunEvents({ runId, log, listener: (event) => live.push(event), now: () => 1_000 })
  return { live, stored, events }
}

function open(events: RunEvents) {
  events.start({ kind: 'agent', agentId: 'a', agentName: 'A', sessionId: 's', userId: 'u' })
}

const step = fc.oneof(
  fc.record({
    kind: fc.constant('delta' as const),
    text: fc.string({ unit: 'binary', minLength: 1, maxLength: 80 }),
  }),
  fc.record({ kind: fc.constant('reset' as const) }),
  fc.record({ kind: fc.constant('wait' as const) }),
)

test('a replay from any event equals the live stream, however deltas were joined', async () => {
  vi.useFakeTimers()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { live, stored, events } = recorder()
      open(events)
      let message = 0
      for (const { kind, ...rest } of steps) {
        const messageId = `msg_${message}`
        if (kind === 'wait') await vi.advanceTimersByTimeAsync(60)
        else if (kind === 'reset') {
          events.emit('RunContentReset', { source, messageId, reason: 'failover' })
          message += 1
        } else {
          const delta = (rest as { text: string }).text
          events.emit('RunContent', { source, messageId, channel: 'answer', delta })
        }
      }
      const end = await events.end('RunError', { error: 'upstream_error', message: 'x' })
      end.show()
      const log = [...stored, ...end.rows]
      for (let after = 0; after <= live.length; after++) {
        const replayed = log.flatMap((row) => [...eventsOfRow(row, after)])
        expect(replayed.map((event) => JSON.stringify(event))).toEqual(
          live.slice(after).map((event) => JSON.stringify(event)),
        )
      }
    }),
    { numRuns: 60 },
  )
  vi.useRealTimers()
})

test('neighbouring deltas share a row until it holds 256 characters', async () => {
  const { events } = recorder()
  open(events)
  for (let index = 0; index < 10; index++) {
    events.emit('RunContent', { source, messageId: 'msg_0', channel: 'answer', delta: 'x'.repeat(100) })
  }
  const { rows } = await events.end('RunError', { error: 'x', message: 'x' })
  expect(rows.map((row) => row.cuts)).toEqual([
    null,
    [100, 200, 300],
    [100, 200, 300],
    [100, 200, 300],
    [100],
    null,
  ])
})

test('events emitted before the row is committed follow RunStarted in their order', () => {
  const { live, events } = recorder()
  events.emit('ModelRequestStarted', { source, purpose: 'chat', step: 0 })
  events.emit('RunContent', { source, messageId: 'msg_0', channel: 'answer', delta: 'a' })
  expect(live).toEqual([])
  open(events)
  expect(live.map((event) => [event.seq, event.event])).toEqual([
    [1, 'RunStarted'],
    [2, 'ModelRequestStarted'],
    [3, 'RunContent'],
  ])
})

test('a batch that the database refuses is written with the end of the run', async () => {
  vi.useFakeTimers()
  const { live, stored, events } = recorder(() => {
    throw new Error('database is restarting')
  })
  open(events)
  await vi.advanceTimersByTimeAsync(60)
  const { rows } = await events.end('RunError', { error: 'x', message: 'x' })
  expect(stored).toEqual([])
  expect(rows.map((row) => row.seq)).toEqual([1, 2])
  expect(live).toHaveLength(1)
  vi.useRealTimers()
})

test('an overruled end leaves no gap and loses no event', async () => {
  const { events } = recorder()
  open(events)
  events.emit('RunContent', { source, messageId: 'msg_0', channel: 'answer', delta: 'a' })
  await events.end('RunError', { error: 'x', message: 'x' })
  const { rows } = await events.end('RunCancelled', { reason: 'user', content: 'a' })
  expect(rows.map((row) => [row.seq, row.event])).toEqual([
    [1, 'RunStarted'],
    [2, 'RunContent'],
    [3, 'RunCancelled'],
  ])
})
