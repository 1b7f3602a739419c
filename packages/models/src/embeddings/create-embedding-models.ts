import type { EmbeddingModelV4, EmbeddingModelV4Result } from '@ai-sdk/provider'
import {
  ChatModelError,
  type Clock,
  type EmbeddingModels,
  type EmbeddingRequest,
  systemClock,
} from '@troupe/agents/ports'
import { isModelId } from '@troupe/contract'
import { type AttemptFailure, attemptFailure } from '../failover/attempt-failure.ts'
import { classifyError } from '../failover/classify-error.ts'
import { callFailed } from '../failover/public-errors.ts'
import type { ProviderDependencies } from '../provider/provider.ts'
import { PROVIDERS } from '../registry/providers.ts'
import { sleep } from '../time/sleep.ts'

const ATTEMPTS = 3
const PAUSE_MS = 500
/** A provider that asks to wait longer is not waited for. */
const LONGEST_PAUSE_MS = 5_000
const TIMEOUT_MS = 60_000

/** The external dependencies of embedding models. */
export interface EmbeddingModelsOptions {
  /** Used for every request of every provider; in production the guarded fetch. */
  fetch: typeof globalThis.fetch
  clock?: Clock
}

/** Embedding models of every provider that has them. Loads no provider package before the first request. */
export function createEmbeddingModels({
  fetch,
  clock = systemClock,
}: EmbeddingModelsOptions): EmbeddingModels {
  return {
    async embed(request) {
      const model = await load(request, { fetch, clock })
      const perCall = Math.max(1, (await model.maxEmbeddingsPerCall) ?? request.texts.length)
      const vectors: number[][] = []
      for (let at = 0; at < request.texts.length; at += perCall) {
        const values = request.texts.slice(at, at + perCall)
        vectors.push(...(await withRetries(model, values, request, clock)))
      }
      return vectors
    },
  }
}

/** A provider is bound to its connection for one request: requests are rare, and binding costs less than a call. */
async function load(
  { connection, modelId }: EmbeddingRequest,
  dependencies: ProviderDependencies,
): Promise<EmbeddingModelV4> {
  const { description, loadEmbeddings } = PROVIDERS[connection.providerId]
  if (!loadEmbeddings) {
    throw new ChatModelError('fatal', `${description.label} has no embedding models.`, connection.providerId)
  }
  if (!isModelId(modelId)) throw callFailed(attemptFailure('model_not_found', 'not a model id'), '')
  return (await loadEmbeddings(connection, dependencies))(modelId)
}

async function withRetries(
  model: EmbeddingModelV4,
  values: string[],
  request: EmbeddingRequest,
  clock: Clock,
): Promise<number[][]> {
  for (let attempt = 1; ; attempt += 1) {
    const result = await once(model, values, request, { attempt, clock })
    if ('vectors' in result) return result.vectors
    const { failure } = result
    const pause = failure.retryAfterMs ?? PAUSE_MS * 2 ** (attempt - 1)
    if (failure.kind !== 'retry' || attempt >= ATTEMPTS || pause > LONGEST_PAUSE_MS) {
      throw callFailed(failure, `${request.modelId} #${attempt} ${failure.errorCode}`)
    }
    await sleep(clock, pause, request.signal)
  }
}

type Outcome = { vectors: number[][] } | { failure: AttemptFailure }

async function once(
  model: EmbeddingModelV4,
  values: string[],
  { connection, modelId, signal, onAttempt }: EmbeddingRequest,
  { attempt, clock }: { attempt: number; clock: Clock },
): Promise<Outcome> {
  const startedAt = clock.now()
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  let result: EmbeddingModelV4Result | null = null
  let failure: AttemptFailure | null = null
  try {
    result = await model.doEmbed({ values, abortSignal: AbortSignal.any([signal, timeout]) })
    failure = problemOf(result, values.length)
  } catch (error) {
    signal.throwIfAborted()
    const isLate = timeout.aborted
    failure = isLate ? attemptFailure('timeout', 'no answer in time', {}) : classifyError(error, clock.now())
  }
  onAttempt({
    llmConfigId: connection.llmConfigId,
    modelId,
    attempt,
    isFallback: false,
    inputTokens: result?.usage?.tokens ?? 0,
    cachedTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
    usageIncomplete: result?.usage === undefined,
    latencyMs: clock.now() - startedAt,
    ttftMs: null,
    ok: failure === null,
    errorCode: failure?.errorCode ?? null,
    internalMessage: failure?.errorCode ?? null,
  })
  if (failure) return { failure }
  return { vectors: result?.embeddings ?? [] }
}

/** A vector is missing, or has another length than the others: no retry would help. */
function problemOf({ embeddings }: EmbeddingModelV4Result, count: number): AttemptFailure | null {
  const length = embeddings[0]?.length ?? 0
  const isWhole = embeddings.length === count && embeddings.every((one) => one.length === length)
  return isWhole && length > 0
    ? null
    : attemptFailure('provider_error', 'vectors are missing', { kind: 'next' })
}
