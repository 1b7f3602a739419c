import type { Clock, ModelAttempt, ProviderConnection } from '@troupe/agents/ports'
import { type AttemptFailure, attemptFailure, failureOfModel } from '../failover/attempt-failure.ts'
import { failureOfError } from '../failover/failure-of-error.ts'
import { hideSecrets } from '../failover/hide-secrets.ts'
import { callFailed } from '../failover/public-errors.ts'
import { sleep } from '../time/sleep.ts'

const ATTEMPTS = 3
const PAUSE_MS = 500
/** A longer wait requested by a provider ends the call. */
const LONGEST_PAUSE_MS = 5_000
const TIMEOUT_MS = 60_000

/** A call of a model that is not a chat model, and its observer. */
export interface PlainCall {
  connection: ProviderConnection
  modelId: string
  signal: AbortSignal
  /** Called once for every attempt, after it ended, successful or not. Must not throw. */
  onAttempt(attempt: ModelAttempt): void
}

/** A provider's response. */
export interface PlainAnswer<T> {
  value: T
  /** Input tokens; undefined if the provider reported none. */
  tokens: number | undefined
  /** Why the response cannot be used; null if it can. */
  failure: AttemptFailure | null
}

/**
 * Calls a provider up to three times.
 *
 * @throws ChatModelError, or the reason of the call's signal
 */
export async function callWithRetries<T>(
  call: PlainCall,
  clock: Clock,
  ask: (signal: AbortSignal) => Promise<PlainAnswer<T>>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await once(call, { attempt, clock }, ask)
    if ('value' in outcome) return outcome.value
    const { failure } = outcome
    const pause = failure.retryAfterMs ?? PAUSE_MS * 2 ** (attempt - 1)
    if (failure.kind !== 'retry' || attempt >= ATTEMPTS || pause > LONGEST_PAUSE_MS) {
      throw callFailed(failure, `${call.modelId} #${attempt} ${failure.errorCode}: ${said(call, failure)}`)
    }
    await sleep(clock, pause, call.signal)
  }
}

/** Maximum characters of a message for the log. */
const MAX_TEXT = 500

function said({ connection }: Pick<PlainCall, 'connection'>, failure: AttemptFailure): string {
  return hideSecrets(failure.internalMessage, connection).slice(0, MAX_TEXT)
}

async function once<T>(
  { connection, modelId, signal, onAttempt }: PlainCall,
  { attempt, clock }: { attempt: number; clock: Clock },
  ask: (signal: AbortSignal) => Promise<PlainAnswer<T>>,
): Promise<{ value: T } | { failure: AttemptFailure }> {
  const startedAt = clock.now()
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  let answer: PlainAnswer<T> | null = null
  let failure: AttemptFailure | null
  try {
    answer = await ask(AbortSignal.any([signal, timeout]))
    failure = answer.failure
  } catch (error) {
    signal.throwIfAborted()
    const isLate = timeout.aborted
    failure = isLate ? attemptFailure('timeout', 'no answer in time', {}) : failureOfError(error, clock.now())
  }
  if (failure) failure = failureOfModel(failure, { connection, modelId })
  onAttempt({
    llmConfigId: connection.llmConfigId,
    modelId,
    attempt,
    isFallback: false,
    inputTokens: answer?.tokens ?? 0,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
    usageIncomplete: answer?.tokens === undefined,
    latencyMs: clock.now() - startedAt,
    ttftMs: null,
    ok: failure === null,
    errorCode: failure?.errorCode ?? null,
    internalMessage: failure && said({ connection }, failure),
    providerMessage: failure?.providerMessage ?? null,
    note: null,
  })
  if (failure) return { failure }
  return answer ? { value: answer.value } : { failure: attemptFailure('provider_error', 'no answer') }
}
