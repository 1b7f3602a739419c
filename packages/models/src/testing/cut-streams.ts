import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { LlmConfigId, newId } from '@troupe/contract'
import { framed, type ProviderWire } from '@troupe/test-kit/provider-streams'
import { modelsForTest, streamText, targetOf, userSays } from './open-chain.ts'

const WEATHER: LanguageModelV4FunctionTool = {
  type: 'function',
  name: 'weather',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
}

/** The outcome of a stream that ended cleanly after some of its bytes. */
export interface CutOutcome {
  /** Bytes before the cut. */
  at: number
  /** Whether the answer was complete, the attempt failed, or, which is an error, neither. */
  became: 'whole' | 'failed' | string
}

/** The bytes of an answer, and where its events end. */
export function bytesOf(
  wire: ProviderWire,
  events: readonly unknown[],
): { bytes: Uint8Array; ends: number[] } {
  const frames = framed(wire.framing, events, wire.done)
  let size = 0
  const ends = frames.map((frame) => {
    size += frame.length
    return size
  })
  return { bytes: Buffer.concat(frames), ends }
}

/** Reads an answer once for each cut, each over its own connection, so that no answer influences the next. */
export async function cutOutcomes(
  wire: ProviderWire,
  kind: 'text' | 'call',
  cuts: readonly number[],
): Promise<CutOutcome[]> {
  const { bytes } = bytesOf(wire, wire[kind])
  let at = 0
  const fetch = async () =>
    new Response(bytes.slice(0, at), { headers: { 'content-type': 'text/event-stream' } })
  const target = targetOf('http://127.0.0.1:1/v1', 'm')
  const { providerId, settings } = wire
  const open = modelsForTest(undefined, fetch)
  const outcomes: CutOutcome[] = []
  for (const cut of cuts) {
    at = cut
    const connection = { ...target.connection, providerId, settings, llmConfigId: newId(LlmConfigId) }
    const { model, attempts } = open({ targets: [{ ...target, connection }], retry: { attemptsPerModel: 1 } })
    const { text, error, parts } = await streamText(model, userSays('x', { tools: [WEATHER] }))
    const [attempt] = attempts
    const calls = parts.flatMap((part) =>
      part.type === 'tool-call' ? [`${part.toolName} ${part.input}`] : [],
    )
    const isWhole =
      kind === 'text'
        ? text === 'Hello there' && calls.length === 0
        : calls.join() === 'weather {"city":"Oslo"}'
    let became: string
    if (error === undefined)
      became = isWhole && attempt?.ok ? 'whole' : `a success with ${JSON.stringify([text, calls])}`
    else
      became =
        attempt?.ok === false && attempt.usageIncomplete ? 'failed' : 'a failure that is not a failed attempt'
    outcomes.push({ at, became })
  }
  return outcomes
}
