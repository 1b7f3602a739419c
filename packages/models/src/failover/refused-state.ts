import type { ModelTarget } from '@troupe/agents/ports'
import { LRUCache } from 'lru-cache'
import type { AttemptFailure } from './attempt-failure.ts'
import { modelKey } from './model-key.ts'

/**
 * Messages of providers that refuse their own state: a signature of another account or an older model (Anthropic:
 * "Invalid `signature` in `thinking` block"), encrypted reasoning of another organization (OpenAI: "The encrypted
 * content … could not be verified"), items that are no longer stored (OpenAI: "Item with id 'rs_…' not found"), and
 * fields that a server writes but does not read (Groq: "property 'reasoning_content' is unsupported").
 */
const STATE = /signature|thinking|encrypted|thought|reasoning|item with id|\bphase\b/i

/** Whether a request was refused because of its state; it may then be repeated once without it. */
export function isRefusedState({ kind, internalMessage }: AttemptFailure): boolean {
  return kind !== 'retry' && STATE.test(internalMessage)
}

const UNREAD =
  /unsupported|not (be )?supported|not (be )?permitted|extra_?(inputs|fields|forbidden)|unrecogni[sz]ed|unknown/i
const MAX_MODELS = 1_000
const REMEMBERED_MS = 60 * 60_000

/** The models of this process that write a field of state but do not read it. An edited configuration starts without them. */
export class StatelessModels {
  readonly #known = new LRUCache<string, true>({ max: MAX_MODELS, ttl: REMEMBERED_MS })

  has(target: ModelTarget): boolean {
    return this.#known.has(modelKey(target))
  }

  /** Remembers the model, if the failure means that it never accepts the field. */
  learn(target: ModelTarget, { internalMessage }: AttemptFailure): void {
    if (!UNREAD.test(internalMessage)) return
    this.#known.set(modelKey(target), true)
  }
}
