import { APICallError, type LanguageModelV4, type LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { Clock } from '@troupe/agents/ports'
import type { ModelContext } from '../provider/provider.ts'
import { collect } from '../streams/collect.ts'
import { answerTo, type SandboxAnswer } from './answer.ts'
import type { Directives } from './directives.ts'
import { InstanceTooLarge } from './instance-budget.ts'
import { type PromptReading, readPrompt } from './prompt-reading.ts'
import { streamAnswer } from './stream-answer.ts'

const MODEL_ID = 'sandbox-1'

/** Calls that `[[fail: status xN]]` has failed so far, per run; freed with the run. */
const failedCalls = new WeakMap<ModelContext, number>()

/**
 * The sandbox: deterministic answers without a network, steered by directives in the message or the instructions.
 * Its only state is the number of calls that `[[fail: status xN]]` has failed in this run.
 */
export function createSandboxModel(modelId: string, run: ModelContext, clock: Clock): LanguageModelV4 {
  const doStream = async (options: LanguageModelV4CallOptions) => {
    options.abortSignal?.throwIfAborted()
    if (modelId !== MODEL_ID) throw refused(404, `model_not_found: the sandbox has only ${MODEL_ID}`)
    const reading = readPrompt(options.prompt)
    failIfAsked(reading.directives, run)
    const answer = answered(reading, options, run.agentName)
    return { stream: streamAnswer(answer, reading, clock, options.abortSignal) }
  }
  return {
    specificationVersion: 'v4',
    provider: 'sandbox',
    modelId,
    supportedUrls: {},
    doStream,
    doGenerate: async (options) => collect((await doStream(options)).stream),
  }
}

function answered(
  reading: PromptReading,
  options: LanguageModelV4CallOptions,
  agentName: string,
): SandboxAnswer {
  try {
    return answerTo(reading, options, agentName)
  } catch (error) {
    if (error instanceof InstanceTooLarge) throw refused(400, error.message)
    throw error
  }
}

function failIfAsked({ fail }: Directives, run: ModelContext): void {
  if (fail === null) return
  const failed = failedCalls.get(run) ?? 0
  if (fail.times !== null && failed >= fail.times) return
  failedCalls.set(run, failed + 1)
  throw refused(fail.status, `the message requested status ${fail.status}`)
}

function refused(statusCode: number, message: string): APICallError {
  const responseBody = JSON.stringify({ error: { message } })
  return new APICallError({ message, statusCode, responseBody, url: 'sandbox:', requestBodyValues: {} })
}
