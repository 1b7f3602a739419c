import type { ModelAttempt, ModelObserver, ModelTarget } from '@troupe/agents/ports'
import type { Attempt } from './attempt.ts'
import type { AttemptFailure } from './attempt-failure.ts'

/** Reports the attempts of one call to the observer, each once, and keeps the failed ones for the final error. */
export class AttemptLog {
  readonly #observer: ModelObserver
  readonly #lines: string[] = []

  constructor(observer: ModelObserver) {
    this.#observer = observer
  }

  /** @param failure why it failed; null when it succeeded; `aborted` when the caller ended it */
  report(
    target: ModelTarget,
    number: number,
    isFallback: boolean,
    attempt: Attempt,
    failure: AttemptFailure | 'aborted' | null,
  ): void {
    const internalMessage = failure && withoutSecrets(messageOf(failure), target)
    const entry: ModelAttempt = {
      llmConfigId: target.connection.llmConfigId,
      modelId: target.modelId,
      attempt: number,
      isFallback,
      ...tokensOf(attempt),
      latencyMs: attempt.elapsedMs,
      ttftMs: attempt.ttftMs,
      ok: failure === null,
      errorCode: failure && (failure === 'aborted' ? 'aborted' : failure.errorCode),
      internalMessage,
    }
    if (internalMessage !== null) {
      this.#lines.push(
        `${entry.llmConfigId}/${entry.modelId} #${number} ${entry.errorCode}: ${internalMessage}`,
      )
    }
    this.#observer.onAttempt(entry)
  }

  /** Records an event that is not an attempt, such as a skipped configuration. */
  note(target: ModelTarget, text: string): void {
    this.#lines.push(`${target.connection.llmConfigId}/${target.modelId} ${withoutSecrets(text, target)}`)
  }

  /** All failures, one per line. */
  toString(): string {
    return this.#lines.join('\n')
  }
}

function messageOf(failure: AttemptFailure | 'aborted'): string {
  return failure === 'aborted' ? 'aborted by the caller' : failure.internalMessage
}

const MAX_TEXT = 500

/** Masks keys, which providers echo in their messages, before truncating: a truncated key would not be recognised. */
function withoutSecrets(text: string, target: ModelTarget): string {
  let clean = text
  for (const secret of Object.values(target.connection.credentials)) {
    if (secret.length >= 4) clean = clean.replaceAll(secret, '[secret]')
  }
  return clean.slice(0, MAX_TEXT)
}

function tokensOf({ usage }: Attempt) {
  const input = usage?.inputTokens
  const output = usage?.outputTokens
  const counts = [input?.total, input?.cacheRead, output?.total, output?.reasoning]
  const [inputTokens = 0, cachedTokens = 0, outputTokens = 0, reasoningTokens = 0] = counts.map(countOf)
  const isMissing = input?.total === undefined || output?.total === undefined
  const isWrong = counts.some((count) => count !== undefined && count !== countOf(count))
  return { inputTokens, cachedTokens, outputTokens, reasoningTokens, usageIncomplete: isMissing || isWrong }
}

/** Upper bound on the tokens of one model call. */
const MAX_TOKENS = 1_000_000_000

/** Sanitizes a provider's number: counters and columns take non-negative integers only. */
function countOf(reported: unknown): number {
  if (typeof reported !== 'number' || !Number.isFinite(reported)) return 0
  return Math.min(Math.max(Math.round(reported), 0), MAX_TOKENS)
}
