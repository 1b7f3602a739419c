import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { type BodyServer, framed, PROVIDER_WIRES, startBodyServer } from '@troupe/test-kit/provider-streams'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { modelsForTest, streamText, targetOf, userSays } from '../testing/open-chain.ts'
import { RepeatedCalls, repeatedId } from './repeated-calls.ts'

let server: BodyServer
beforeAll(async () => {
  server = await startBodyServer()
})
beforeEach(() => server.reset())
afterAll(() => server.close())

const WEATHER: LanguageModelV4FunctionTool = {
  type: 'function',
  name: 'weather',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
}

type Event = Record<string, unknown>

/**
 * Adds an id to the call of an answer, which the protocol allows as an option
 * (https://ai.google.dev/api/caching#FunctionCall).
 */
function named(events: unknown[]): Event[] {
  const text = JSON.stringify(events)
  return JSON.parse(text.replaceAll('"functionCall":{', '"functionCall":{"id":"g1",'))
}

const isCallEvent = (event: Event) =>
  /tool_calls|function_call|tool_use|input_json|functionCall|toolUse/.test(JSON.stringify(event))

/** The events of an answer with its call repeated at the next index, optionally with other arguments. */
function twice(events: Event[], city: string): Event[] {
  const from = events.findIndex(isCallEvent)
  const to = events.findLastIndex(
    (event) =>
      isCallEvent(event) && JSON.stringify(event).match(/stop_reason|finish_reason":"|stopReason/) === null,
  )
  const isBlock = events
    .slice(0, to + 3)
    .find(({ type, contentBlockStop }, at) => at > to && (type === 'content_block_stop' || contentBlockStop))
  const end = isBlock ? events.indexOf(isBlock) : to
  const again = JSON.stringify(events.slice(from, end + 1))
    .replaceAll(/"(index|output_index|contentBlockIndex)":1/g, '"$1":2')
    .replaceAll('Oslo', city)
  return [...events.slice(0, end + 1), ...JSON.parse(again), ...events.slice(end + 1)]
}

describe.each(PROVIDER_WIRES)('an answer of $name', (wire) => {
  async function read(city: string) {
    server.play({ body: framed(wire.framing, twice(named(wire.call), city), wire.done) })
    const target = targetOf(server.url, 'm')
    const connection = { ...target.connection, providerId: wire.providerId, settings: wire.settings }
    const { model, attempts } = modelsForTest()({
      targets: [{ ...target, connection }],
      retry: { attemptsPerModel: 1 },
    })
    const { parts, error } = await streamText(model, userSays('x', { tools: [WEATHER] }))
    const calls = parts.flatMap((part) =>
      part.type === 'tool-call' ? [{ id: part.toolCallId, input: part.input }] : [],
    )
    return { calls, error, note: attempts[0]?.note ?? '' }
  }

  it('with the same call twice under one id has it once', async () => {
    const { calls, error, note } = await read('Oslo')
    expect(error).toBeUndefined()
    expect(calls.map(({ input }) => input)).toEqual(['{"city":"Oslo"}'])
    expect(note).toContain('again')
  })

  it('that has two different calls under one id has both', async () => {
    const { calls, error } = await read('Bonn')
    expect(error).toBeUndefined()
    expect(calls.map(({ input }) => input)).toEqual(['{"city":"Oslo"}', '{"city":"Bonn"}'])
    expect(new Set(calls.map(({ id }) => id)).size).toBe(1)
  })
})

test('a repetition is detected by its id, its tool and the value of its arguments', () => {
  const repeated: string[] = []
  const calls = new RepeatedCalls((name) => repeated.push(name))
  const call = (toolCallId: string, toolName: string, input: string) =>
    calls.read({ type: 'tool-call', toolCallId, toolName, input })
  expect(call('a', 'pay', '{"to":1,"sum":2}')).not.toBeNull()
  expect(call('a', 'pay', '{"sum":2, "to":1}')).toBeNull()
  expect(call(repeatedId('a', 1), 'pay', '{"sum":2,"to":1}')).toBeNull()
  expect(call(repeatedId('a', 2), 'pay', '{"sum":3,"to":1}')).toMatchObject({ toolCallId: 'a' })
  expect(call('a', 'refund', '{"to":1,"sum":2}')).not.toBeNull()
  expect(call('b', 'pay', '{"to":1,"sum":2}')).not.toBeNull()
  expect(call('a', 'pay', '{"to":')).not.toBeNull()
  expect(call('a', 'pay', '{"to":')).toBeNull()
  expect(repeated).toEqual(['pay', 'pay', 'pay'])
})
