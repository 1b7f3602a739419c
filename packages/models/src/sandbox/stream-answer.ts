import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import { type Clock, sleep } from '../time/clock.ts'
import type { SandboxAnswer } from './answer.ts'
import type { PromptReading } from './prompt-reading.ts'
import { countWords } from './words.ts'

/** Streams an answer by words, at the pace that the directives ask for. An abort ends every wait at once. */
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
    let sent = 0
    for (const word of answer.text.match(/\s*\S+\s*$|\s*\S+/g) ?? []) {
      if (sent === breakAfter) throw new Error(`the message asked for a break after ${sent} words`)
      if (sent > 0) await wait(paceMs)
      yield { type: 'text-delta', id: '0', delta: word }
      sent++
    }
    if (breakAfter !== null) throw new Error(`the message asked for a break after ${breakAfter} words`)
    yield { type: 'text-end', id: '0' }
  }
  const reason = answer.kind === 'calls' ? 'tool-calls' : 'stop'
  yield { type: 'finish', finishReason: { unified: reason, raw: reason }, usage: usageOf(answer, reading) }
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
