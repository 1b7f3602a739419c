import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { partsOf } from '../streams/parts-of.ts'
import { type WireCall, wireCalls } from './wire-call.ts'

/**
 * Requests a stream from a model. If the server returns a complete answer instead, the package's own reader for
 * complete answers reads it.
 */
export async function askForStream(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
  call: WireCall,
): Promise<ReadableStream<LanguageModelV4StreamPart>> {
  try {
    const { stream } = await wireCalls.run(call, () => model.doStream(options))
    return stream
  } catch (error) {
    if (call.replay === null) throw error
  }
  return ReadableStream.from(partsOf(await wireCalls.run(call, () => model.doGenerate(options))))
}
