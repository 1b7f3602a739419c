import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { collect } from '../streams/collect.ts'
import { ChainCall } from './chain-call.ts'
import type { ChainEnvironment } from './chain-environment.ts'

/**
 * A chain as one model. `doStream` resolves with the first content and rejects when no model produced any; a later
 * break errors the stream. Parts are pulled: each is enqueued in the tick in which it arrives, and an unread stream
 * puts back-pressure on the provider without buffering.
 */
export function createFailoverModel(environment: ChainEnvironment): LanguageModelV4 {
  const doStream = async (options: LanguageModelV4CallOptions) => {
    const call = new ChainCall(environment, options)
    return { stream: streamOf(call, await call.open()) }
  }
  return {
    specificationVersion: 'v4',
    provider: 'troupe.failover',
    modelId: environment.chain.targets[0].modelId,
    supportedUrls: {},
    doStream,
    doGenerate: async (options) => collect((await doStream(options)).stream),
  }
}

function streamOf(
  call: ChainCall,
  held: LanguageModelV4StreamPart[],
): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream(
    {
      start(controller) {
        for (const part of held) controller.enqueue(part)
        if (call.ended) controller.close()
      },
      async pull(controller) {
        for (const part of await call.next()) controller.enqueue(part)
        if (call.ended) controller.close()
      },
      cancel: (reason) => call.cancel(reason),
    },
    // A high-water mark of 0 pulls only while a read is pending, so every part before a restart has been read.
    { highWaterMark: 0 },
  )
}
