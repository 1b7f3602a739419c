import type { ModelAttempt, ModelObserver, ModelTarget } from '@troupe/agents/ports'
import type { Attempt } from './attempt.ts'
import type { AttemptFailure } from './attempt-failure.ts'
import { hideSecrets } from './hide-secrets.ts'

/** Reports the attempts of one call to the observer, each once, and keeps the failed ones for the final error. */
export class AttemptLog {
  readonly #observer: ModelObserver
  readonly #lines: string[] = []

  constructor(observer: ModelObserver) {
    this.#observer = observer
  }

  /** @param failure why it failed; null on success; `aborted` if the caller ended it */
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
      ...attempt.tokens,
      latencyMs: attempt.elapsedMs,
      ttftMs: attempt.ttftMs,
      ok: failure === null,
      errorCode: failure && (failure === 'aborted' ? 'aborted' : failure.errorCode),
      internalMessage,
      note: attempt.note || null,
      providerMessage: failure === null || failure === 'aborted' ? null : failure.providerMessage,
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

function withoutSecrets(text: string, { connection }: ModelTarget): string {
  return hideSecrets(text, connection).slice(0, MAX_TEXT)
}
