import type { StreamEvent } from '@troupe/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unwrap } from '../src/call/troupe-error.ts'
import { createClient } from '../src/create-client.ts'
import { serverSentEvents } from '../src/stream/server-sent-events.ts'
import { AGENT_ID, type Body, completed, delta, frame, reset, runOf, started } from './run-fixture.ts'
import { type Script, scriptedServer } from './scripted-server.ts'
import { bytes } from './stream-script.ts'

const newline = fc.constantFrom('\n', '\r\n', '\r')
const body: fc.Arbitrary<Body> = fc.oneof(
  { weight: 5, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }).map((text) => delta(text)) },
  { weight: 1, arbitrary: fc.constantFrom('m1', 'm2').map(reset) },
)
const run = fc
  .array(body, { maxLength: 12 })
  .map((bodies) => runOf(started, ...bodies, { ...completed, event: 'RunCompleted' } as Body))

/** The events on the wire, pings between them. */
function wire(events: readonly StreamEvent[], lineEnd: string): Buffer {
  const ping = `: ping${lineEnd}${lineEnd}`
  return Buffer.from(events.map((event) => ping + frame(event, lineEnd)).join(''))
}

/** Splits bytes at fractions of their length. */
function pieces(whole: Buffer, splits: readonly number[]): Buffer[] {
  const at = [
    0,
    ...splits.map((split) => Math.floor(split * whole.length)).sort((a, b) => a - b),
    whole.length,
  ]
  return at.slice(1).map((end, index) => whole.subarray(at[index], end))
}

test('however the bytes are chunked, the events are the same', async () => {
  await fc.assert(
    fc.asyncProperty(
      run,
      newline,
      fc.array(fc.double({ min: 0, max: 1, noNaN: true })),
      async (events, end, splits) => {
        const chunks = new ReadableStream<Uint8Array>({
          start(controller) {
            for (const piece of pieces(wire(events, end), splits)) controller.enqueue(piece)
            controller.close()
          },
        })
        const got: unknown[] = []
        const silent = { onBytes: () => undefined, onRetry: () => undefined }
        for await (const message of serverSentEvents(chunks, silent)) got.push(JSON.parse(message.data))
        // A lone CR at the very end could be half of a CRLF, so the last event may stay pending.
        expect(got).toEqual(end === '\r' ? events.slice(0, got.length) : events)
      },
    ),
    { numRuns: 300 },
  )
})

interface Cut {
  /** Where the connection breaks, as a fraction of the bytes to send. */
  at: number
  /** Events before the requested one that the server repeats. */
  repeats: number
  splits: number[]
  end: 'end' | 'cut'
}
const fraction = fc.double({ min: 0, max: 1, noNaN: true })
const cut: fc.Arbitrary<Cut> = fc.record({
  at: fraction,
  repeats: fc.nat({ max: 3 }),
  splits: fc.array(fraction, { maxLength: 4 }),
  end: fc.constantFrom('end', 'cut'),
})

test('wherever connections break, every event arrives exactly once and in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      run,
      fc.constantFrom('\n', '\r\n'),
      fc.array(cut, { maxLength: 5 }),
      async (events, lineEnd, cuts) => {
        const connections: (Cut | null)[] = [...cuts, null]
        const scripts = connections.map((planned): Script => {
          return async (response, request) => {
            const after = Number(request.headers['last-event-id'] ?? 0)
            const sent = wire(events.slice(Math.max(0, after - (planned?.repeats ?? 0))), lineEnd)
            const part = planned ? sent.subarray(0, Math.floor(planned.at * sent.length)) : sent
            const script = bytes(
              ['retry: 1\n\n', ...pieces(part, planned?.splits ?? [])],
              planned?.end ?? 'end',
            )
            await script(response, request)
          }
        })
        await using server = await scriptedServer(...scripts)
        const { agents } = createClient({ baseUrl: server.baseUrl, apiKey: 'trp_key' })
        const stream = await unwrap(agents.stream(AGENT_ID, { message: 'Hi' }))
        const got: StreamEvent[] = []
        for await (const event of stream) got.push(event)
        expect(got).toEqual(events)
      },
    ),
    { numRuns: 60 },
  )
}, 60_000)
