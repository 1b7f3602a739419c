import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type {
  Clock,
  ModelAttempt,
  ModelObserver,
  ModelParameters,
  ModelReference,
  ModelRetry,
  ModelTarget,
  OpenChain,
} from '@troupe/agents/ports'
import { TestClock } from '@troupe/agents/testing/test-clock'
import { idNamed } from '@troupe/agents/testing/test-ids'
import { LlmConfigId } from '@troupe/contract'
import { createChatModels } from '../create-chat-models.ts'

const DEFAULTS: ModelParameters = {
  temperature: null,
  topP: null,
  maxOutputTokens: null,
  seed: null,
  stopSequences: null,
  reasoningEffort: null,
  providerOptions: {},
}

/** A target of an OpenAI-compatible server; `name` is both its configuration and its model. */
export function targetOf(
  baseUrl: string,
  name: string,
  overrides: Partial<Omit<ModelTarget, 'parameters'>> & { parameters?: Partial<ModelParameters> } = {},
): ModelTarget {
  return {
    connection: {
      llmConfigId: idNamed(LlmConfigId, name),
      version: 1,
      providerId: 'openai-compatible',
      baseUrl,
      credentials: { apiKey: 'sk-secret-key-of-the-tenant' },
      settings: {},
    },
    modelId: name,
    contextLength: null,
    on: ['error', 'rate_limit', 'timeout', 'context_overflow'],
    ...overrides,
    parameters: { ...DEFAULTS, ...overrides.parameters },
  }
}

/** A target of the sandbox provider. */
export function sandboxTarget(name = 'sandbox'): ModelTarget {
  const target = targetOf('', name)
  target.connection = { ...target.connection, providerId: 'sandbox', baseUrl: null, credentials: {} }
  return { ...target, modelId: 'sandbox-1' }
}

/** A chain with everything that it has reported to its run. */
export interface OpenedChain {
  model: LanguageModelV4
  attempts: ModelAttempt[]
  /** `failover a->b reason`, `reset`, in order. */
  events: string[]
}

export interface ChainSettings {
  targets: [ModelTarget, ...ModelTarget[]]
  retry?: Partial<ModelRetry>
  midStream?: 'fail' | 'restart'
  /** Milliseconds from now, on the chain's clock. */
  timeLeftMs?: number
  agentName?: string
  isPlainAnswer?: boolean
}

/** The models of one process on a clock that runs 20 times as fast; a test may open them repeatedly. */
export function modelsForTest(clock: Clock = new TestClock({ speed: 20 }), fetch = globalThis.fetch) {
  const models = createChatModels({ fetch, clock, random: () => 0 })
  return (settings: ChainSettings): OpenedChain => {
    const attempts: ModelAttempt[] = []
    const events: string[] = []
    const name = (reference: ModelReference) => reference.modelId
    const observer: ModelObserver = {
      onAttempt: (attempt) => attempts.push(attempt),
      onFailover: ({ from, to, reason }) => events.push(`failover ${name(from)}->${name(to)} ${reason}`),
      onReset: () => events.push('reset'),
    }
    const request: OpenChain = {
      chain: {
        targets: settings.targets,
        midStream: settings.midStream ?? 'fail',
        retry: {
          attemptsPerModel: 2,
          firstTokenTimeoutMs: 200_000,
          idleTimeoutMs: 200_000,
          callTimeoutMs: 400_000,
          ...settings.retry,
        },
      },
      observer,
      deadlineAt: clock.now() + (settings.timeLeftMs ?? 10_000_000),
      agentName: settings.agentName ?? 'Ada',
      isPlainAnswer: settings.isPlainAnswer ?? true,
    }
    return { model: models.open(request), attempts, events }
  }
}

/** A prompt of one user message. */
export function userSays(
  text: string,
  rest: Partial<LanguageModelV4CallOptions> = {},
): LanguageModelV4CallOptions {
  return { prompt: [{ role: 'user', content: [{ type: 'text', text }] }], ...rest }
}

/** Streams an answer: its text, its parts, and the error it threw (undefined on success). */
export async function streamText(model: LanguageModelV4, options = userSays('Hello')) {
  const parts: LanguageModelV4StreamPart[] = []
  const text = () => parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')
  try {
    const { stream } = await model.doStream(options)
    for await (const part of stream) parts.push(part)
    return { text: text(), parts, error: undefined }
  } catch (error) {
    return { text: text(), parts, error }
  }
}
