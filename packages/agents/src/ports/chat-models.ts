import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { LlmConfigId, ProviderId } from '@troupe/contract'

/** The classes of failure on which a fallback may take over (agent configuration, `model.fallbacks[].on`). */
export type FailoverClass = 'error' | 'rate_limit' | 'timeout' | 'context_overflow'

/** Sampling parameters of one model of a chain. `null` leaves the provider's own default. */
export interface ModelParameters {
  temperature: number | null
  topP: number | null
  /** Upper bound of generated tokens. */
  maxOutputTokens: number | null
  seed: number | null
  stopSequences: string[] | null
  reasoningEffort: 'none' | 'low' | 'medium' | 'high' | null
  /** Passed to the provider as its own options, untouched. */
  providerOptions: Record<string, unknown>
}

/**
 * A connected LLM configuration with decrypted credentials. Kept only in memory; never log or serialise it.
 */
export interface ProviderConnection {
  llmConfigId: LlmConfigId
  /** Changes with every edit of the configuration; a cached provider of another version is dropped. */
  version: number
  providerId: ProviderId
  /** Required for `openai-compatible`, optional override elsewhere. */
  baseUrl: string | null
  /** Provider-specific secrets: `apiKey`, or for Bedrock `accessKeyId`, `secretAccessKey`, `sessionToken`. */
  credentials: Record<string, string>
  /**
   * Provider-specific settings that are not secret: `region`, `resourceName`, `apiVersion`, `organization`, `headers`.
   */
  settings: Record<string, unknown>
}

/** One link of a failover chain. */
export interface ModelTarget {
  connection: ProviderConnection
  modelId: string
  /** Context window in tokens, from the configuration's model list; null when unknown. */
  contextLength: number | null
  parameters: ModelParameters
  /** Failures on which this target may take over. Ignored for the first target of a chain. */
  on: readonly FailoverClass[]
}

/** Retry and timer settings of a chain; times in milliseconds. */
export interface ModelRetry {
  attemptsPerModel: number
  firstTokenTimeoutMs: number
  idleTimeoutMs: number
  callTimeoutMs: number
}

/** The models that one run may call: the primary model, then its fallbacks in order. */
export interface ModelChain {
  targets: readonly [ModelTarget, ...ModelTarget[]]
  retry: ModelRetry
  /** The policy when a stream breaks after its first content part. */
  midStream: 'fail' | 'restart'
}

/** One attempt at one provider: a row of the usage ledger. Token counts are 0 where the provider reported none. */
export interface ModelAttempt {
  llmConfigId: LlmConfigId
  modelId: string
  /** 1-based within one model of one call. */
  attempt: number
  isFallback: boolean
  /** All of them, including reads from and writes to a cache of the provider. */
  inputTokens: number
  cachedTokens: number
  cacheWriteTokens: number
  /** The part of `cacheWriteTokens` with a lifetime of an hour, which costs more. Absent: none. */
  cacheWriteHourTokens?: number
  /** All of them, including those of reasoning. */
  outputTokens: number
  reasoningTokens: number
  /** True when the provider reported no usage, or only part of it. */
  usageIncomplete: boolean
  /** From the start of the attempt to its end. */
  latencyMs: number
  /** From the start of the attempt to its first content part; null if there was none. */
  ttftMs: number | null
  ok: boolean
  /** Safe code of the failure (`http_500`, `timeout`, `network`, `aborted`, …); null when ok. */
  errorCode: string | null
  /** Internal text for the log only: may carry host names and provider wording. Null when ok. */
  internalMessage: string | null
  /** An anomaly of an accepted answer, one sentence for the trace. Null if none. */
  note: string | null
  /** The provider's message, one line without secrets, for the operator; null when ok or without one. */
  providerMessage: string | null
}

/** A model as the public events name it. */
export interface ModelReference {
  llmConfigId: LlmConfigId
  modelId: string
}

/** The callbacks of a chain to the run that opened it. Callbacks must not throw. */
export interface ModelObserver {
  /** Called once for every attempt, after it ended, successful or not. */
  onAttempt(attempt: ModelAttempt): void
  /** Called before the first part of a fallback's answer passes through. */
  onFailover(event: { from: ModelReference; to: ModelReference; reason: FailoverClass }): void
  /** Called when already passed-through text is void because another model starts over (`midStream: 'restart'`). */
  onReset(): void
}

/** The inputs of a run that opens a chain. */
export interface OpenChain {
  chain: ModelChain
  observer: ModelObserver
  /**
   * Absolute time in ms since the epoch after which an answer is useless: no new attempt starts with less
   * than 2 s left.
   */
  deadlineAt: number
  /** Shown by the sandbox provider in its echo. */
  agentName: string
  /**
   * Whether people read the answer unchanged, so that the configuration decides about reasoning in its text. Absent or
   * false: reasoning is removed, because the text is parsed, spoken or given to a model.
   */
  isPlainAnswer?: boolean
}

/**
 * Port: chat models behind failover. The returned model belongs to one run and must not be shared; its `doStream`
 * applies each target's own parameters, so callers pass prompt, tools, tool choice, response format and abort signal
 * only. It throws {@link ChatModelError} when every target is exhausted, and the abort reason unchanged when
 * `abortSignal` fired.
 */
export interface ChatModels {
  open(request: OpenChain): LanguageModelV4
}

/** The message for an answer without content that ended at the limit of output tokens. */
export const ONLY_REASONING =
  'The model used all of its output tokens for reasoning and returned no answer: allow more output tokens, or less reasoning.'

/** Why every model of a chain failed. */
export type ChatModelErrorCode = 'exhausted' | 'fatal' | 'stream_broken' | 'empty_response'

/** A failed model call. `message` is one safe sentence for the public; `internalMessage` lists the attempts for the log. */
export class ChatModelError extends Error {
  override readonly name = 'ChatModelError'
  readonly code: ChatModelErrorCode
  readonly internalMessage: string
  /** The provider's message, one line without secrets, for the operator and never for callers of runs; null: none. */
  readonly providerMessage: string | null
  /** Whether the provider refused the request as invalid: without the refused feature, it may succeed. */
  readonly refusesRequest: boolean
  /** The code of the last attempt, as in {@link ModelAttempt}; null: no attempt failed. */
  readonly errorCode: string | null

  constructor(
    code: ChatModelErrorCode,
    message: string,
    internalMessage: string,
    details: { providerMessage?: string | null; refusesRequest?: boolean; errorCode?: string | null } = {},
  ) {
    super(message)
    this.code = code
    this.internalMessage = internalMessage
    this.providerMessage = details.providerMessage ?? null
    this.refusesRequest = details.refusesRequest ?? false
    this.errorCode = details.errorCode ?? null
  }
}
