import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import type { Clock } from '@troupe/agents/ports'
import { sleep } from '../time/sleep.ts'
import type { SandboxAnswer } from './answer.ts'
import type { PromptReading } from './prompt-reading.ts'
import { countWords } from './words.ts'

/** Longer texts are streamed several words at a time. */
const MAX_DELTAS = 2_000

/** Streams an answer by words, at the pace of its directives. An abort ends every wait immediately. */
export function streamAnswer(
  answer: SandboxAnswer,
  reading: PromptReading,
  clock: Clock,
  signal: AbortSignal | undefined,
): ReadableStream<LanguageModelV4StreamPart> {
  const parts = partsOf(answer, reading, (ms) => (ms ? sleep(clock, ms, signal) : undefined))
  return new ReadableStream(
    {
      async pull(controller) {
        signal?.throwIfAborted()
        const { done, value } = await parts.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await parts.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}

async function* partsOf(
  answer: SandboxAnswer,
  reading: PromptReading,
  wait: (ms: number | null) => Promise<void> | undefined,
): AsyncGenerator<LanguageModelV4StreamPart, void, void> {
  const { delayMs, paceMs, breakAfter } = reading.directives
  yield { type: 'stream-start', warnings: [] }
  await wait(delayMs)
  if (answer.kind === 'calls') {
    yield* callParts(answer.calls)
  } else {
    yield { type: 'text-start', id: '0' }
    let isFirst = true
    for (const delta of deltasOf(answer.text, breakAfter)) {
      if (!isFirst) await wait(paceMs)
      isFirst = false
      yield { type: 'text-delta', id: '0', delta }
    }
    if (breakAfter !== null) throw new Error(`the message requested a break after ${breakAfter} words`)
    yield { type: 'text-end', id: '0' }
  }
  const reason = answer.kind === 'calls' ? 'tool-calls' : 'stop'
  yield { type: 'finish', finishReason: { unified: reason, raw: reason }, usage: usageOf(answer, reading) }
}

/**
 * At most `limit` words of a text (null: all), each with its leading white space and the last also with its trailing
 * one. A long text is yielded several words at a time: one part per word would block the event loop for other runs.
 */
function* deltasOf(text: string, limit: number | null): Generator<string, void, void> {
  const ends: number[] = []
  for (const word of text.matchAll(/\S+/g)) ends.push(word.index + word[0].length)
  const isCut = limit !== null && limit < ends.length
  const count = isCut ? limit : ends.length
  const step = Math.ceil(count / MAX_DELTAS)
  let from = 0
  for (let last = Math.min(step, count); from < count && last > 0; last = Math.min(last + step, count)) {
    const start = from === 0 ? 0 : ends[from - 1]
    const isEnd = last === count && !isCut
    yield text.slice(start, isEnd ? text.length : ends[last - 1])
    from = last
  }
}

function* callParts(calls: { name: string; input: unknown }[]): Generator<LanguageModelV4StreamPart> {
  for (const [index, call] of calls.entries()) {
    const id = `call-${index}`
    const input = JSON.stringify(call.input)
    yield { type: 'tool-input-start', id, toolName: call.name }
    yield { type: 'tool-input-delta', id, delta: input }
    yield { type: 'tool-input-end', id }
    yield { type: 'tool-call', toolCallId: id, toolName: call.name, input }
  }
}

function usageOf(answer: SandboxAnswer, { text, directives }: PromptReading): LanguageModelV4Usage {
  const output =
    answer.kind === 'text'
      ? countWords(answer.text)
      : answer.calls.reduce((sum, call) => sum + 1 + countWords(JSON.stringify(call.input)), 0)
  const usage = directives.usage ?? { input: countWords(text), output }
  return {
    inputTokens: { total: usage.input, noCache: usage.input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: usage.output, text: usage.output, reasoning: 0 },
  }
}
