import { ConversationId, type StreamEvent } from '@troupe/contract'
import { expect, test } from 'vitest'
import { ChatModelError } from '../ports/chat-models.ts'
import type { FinishOutcome } from '../ports/run-store.ts'
import { nthId } from '../testing/test-ids.ts'
import { request, setUp } from './testing/runner-setting.ts'

test('an end that the database refuses is written without its texts, and the caller gets the error', async () => {
  const { runner, ends } = setUp({
    store: {
      finish: async (end) => {
        if (end.usage.length > 0) throw new Error('integer out of range')
        ends.push(end)
        return { finished: true }
      },
    },
  })
  const events: StreamEvent[] = []
  const started = await runner.stream(request({ source: 'api_stream' }), (event) => events.push(event))
  if (started.kind === 'accepted') await started.run.executed
  const last = events.at(-1)
  expect(last).toMatchObject({ event: 'RunError', message: 'The answer could not be stored.' })
  expect(ends).toMatchObject([
    { status: 'failed', content: null, events: [{ event: 'RunError', seq: last?.seq }] },
  ])
}, 10_000)

test('a cancel keeps the written text, even if the reader or the server had stopped the work before', async () => {
  const cancelled: FinishOutcome = { finished: false, status: 'cancelled' }
  const { runner, settled } = setUp({
    script: [{ text: 'Half' }, { hang: true }],
    store: { finish: async () => cancelled },
  })
  const events: StreamEvent[] = []
  const started = await runner.stream(request({ source: 'api_stream' }), (event) => events.push(event))
  if (started.kind !== 'accepted') throw new Error('not accepted')
  await expect.poll(() => events.some(({ event }) => event === 'RunContent')).toBe(true)
  started.run.disconnect()
  await started.run.executed
  expect(settled).toMatchObject([{ content: 'Half', stopReason: 'cancel' }])
  expect(events.at(-1)).toMatchObject({ event: 'RunCancelled', reason: 'user', content: 'Half' })
})

test('the log of such a run ends without its texts, while its reader gets them', async () => {
  const { runner, ends } = setUp({
    config: (config) => {
      config.privacy.store_messages = false
    },
  })
  const events: StreamEvent[] = []
  const started = await runner.stream(request({ source: 'api_stream' }), (event) => events.push(event))
  if (started.kind === 'accepted') await started.run.executed
  expect(events.at(-1)).toMatchObject({ event: 'RunCompleted', result: { content: 'Hello' } })
  expect(ends[0]?.events.map((row) => row.event)).toEqual(['RunCompleted'])
  expect(JSON.stringify(ends[0]?.events)).not.toContain('Hello')
})

test('answer deltas without reset messages concatenate to the result of the stream', async () => {
  const script = [{ text: 'torn ' }, { reset: true as const }, { text: 'whole ' }, { text: 'answer' }]
  const { runner, ends } = setUp({ script })
  const events: StreamEvent[] = []
  const started = await runner.stream(request({ source: 'api_stream' }), (event) => events.push(event))
  expect(events[0]).toMatchObject({ event: 'RunStarted', seq: 1, sessionId: nthId(ConversationId, 1) })
  if (started.kind === 'accepted') await started.run.executed
  const voided = events.flatMap((event) => (event.event === 'RunContentReset' ? [event.messageId] : []))
  const text = events
    .flatMap((event) =>
      event.event === 'RunContent' && !voided.includes(event.messageId) ? [event.delta] : [],
    )
    .join('')
  expect(events.at(-1)).toMatchObject({ event: 'RunCompleted', result: { content: text } })
  expect(text).toBe('whole answer')
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1))
  expect(ends[0]?.events.at(-1)?.event).toBe('RunCompleted')
})

test('a stream whose reader disconnected is cancelled if it requested that', async () => {
  const { runner, ends } = setUp({ script: [{ text: 'part' }, { hang: true }] })
  const events: StreamEvent[] = []
  const started = await runner.stream(request({ source: 'api_stream' }), (event) => events.push(event))
  if (started.kind !== 'accepted') throw new Error('not accepted')
  await new Promise((resolve) => setTimeout(resolve, 5))
  started.run.disconnect()
  await started.run.executed
  expect(events.at(-1)).toMatchObject({ event: 'RunCancelled', reason: 'disconnect', content: 'part' })
  expect(ends).toMatchObject([{ status: 'cancelled', stopReason: 'disconnect' }])
})

test('a failed chain ends the stream with the public sentence', async () => {
  const failure = new ChatModelError('exhausted', 'Every model failed.', 'http 500 at host')
  const { runner } = setUp({ script: [{ text: 'a' }, { throws: failure }] })
  const events: StreamEvent[] = []
  const started = await runner.stream(request({ source: 'api_stream' }), (event) => events.push(event))
  if (started.kind === 'accepted') await started.run.executed
  expect(events.at(-1)).toMatchObject({
    event: 'RunError',
    error: 'upstream_error',
    message: 'Every model failed.',
  })
})
