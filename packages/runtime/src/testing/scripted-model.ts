import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { ChatModels, OpenChain } from '../ports/chat-models.ts'

/** What a scripted call does: deltas to write, a value to throw, `hang` until aborted, or `reset` as a restart does. */
export type ScriptStep = { text: string } | { throws: unknown } | { hang: true } | { reset: true }

const FINISH: LanguageModelV4StreamPart = {
  type: 'finish',
  finishReason: { unified: 'stop', raw: 'stop' },
  usage: {
    inputTokens: { total: 10, noCache: 10, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 5, text: 5, reasoning: undefined },
  },
}

function report(open: OpenChain, ok: boolean): void {
  open.observer.onAttempt({
    llmConfigId: open.chain.targets[0].connection.llmConfigId,
    modelId: open.chain.targets[0].modelId,
    attempt: 1,
    isFallback: false,
    inputTokens: 10,
    cachedTokens: 0,
    outputTokens: 5,
    reasoningTokens: 0,
    usageIncomplete: false,
    latencyMs: 1,
    ttftMs: 1,
    ok,
    errorCode: ok ? null : 'scripted',
    internalMessage: ok ? null : 'scripted',
  })
}

/** Chat models that follow a script; `prompts` are the prompts that reached them. */
export function scriptedModels(...script: ScriptStep[]): ChatModels & { prompts: unknown[] } {
  const prompts: unknown[] = []
  return {
    prompts,
    open(open) {
      const doStream: LanguageModelV4['doStream'] = async ({ prompt, abortSignal }) => {
        prompts.push(prompt)
        async function* parts(): AsyncGenerator<LanguageModelV4StreamPart> {
          for (const step of script) {
            await Promise.resolve()
            abortSignal?.throwIfAborted()
            if ('text' in step) yield { type: 'text-delta', id: '0', delta: step.text }
            else if ('reset' in step) open.observer.onReset()
            else if ('throws' in step) {
              report(open, false)
              throw step.throws
            } else {
              await new Promise((_, reject) => {
                abortSignal?.addEventListener('abort', () => reject(abortSignal.reason))
              })
            }
          }
          report(open, true)
          yield FINISH
        }
        return { stream: ReadableStream.from(parts()) as ReadableStream<LanguageModelV4StreamPart> }
      }
      return {
        specificationVersion: 'v4',
        provider: 'scripted',
        modelId: 'scripted',
        supportedUrls: {},
        doStream,
        doGenerate: async () => {
          throw new Error('runs stream')
        },
      }
    },
  }
}
