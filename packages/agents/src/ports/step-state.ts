import type { SharedV4ProviderMetadata } from '@ai-sdk/provider'

/**
 * A part of a model's step to send back to its provider unchanged: signatures of reasoning, encrypted reasoning,
 * phases, its own ids of calls. Metadata is the provider's and is never read here.
 */
export type StatePart =
  /** `text` absent: the text of the step. `hidden`: no part of the answer, and only for this provider. */
  | { type: 'text'; text?: string; hidden?: true; metadata?: SharedV4ProviderMetadata }
  | { type: 'reasoning'; text: string; metadata?: SharedV4ProviderMetadata }
  /** The call of the step with this index, under the provider's own id. */
  | { type: 'call'; index: number; id: string; metadata?: SharedV4ProviderMetadata }
  | { type: 'custom'; kind: `${string}.${string}`; metadata?: SharedV4ProviderMetadata }
  /** A call that the provider executed itself, and its result. */
  | { type: 'own-call'; id: string; name: string; input: unknown; metadata?: SharedV4ProviderMetadata }
  | {
      type: 'own-result'
      id: string
      name: string
      value: unknown
      isError: boolean
      metadata?: SharedV4ProviderMetadata
    }

/**
 * A step of a model in its provider's form. It is stored with the step, replayed only to the provider that created it,
 * and never shown.
 */
export interface StepState {
  /** Identifies the provider that created it; set and compared only by the adapter of the models. */
  origin: string
  /** In the order of the answer. */
  parts: readonly StatePart[]
}

/** Maximum UTF-8 bytes of the JSON state of one step: a larger one is omitted whole. */
export const MAX_STATE_BYTES = 2 * 1024 * 1024

/**
 * The namespace in the `providerOptions` of prompts and in the metadata of a chain's `finish` part that belongs to this
 * program. The chain of models reads and removes it; no provider sees it.
 */
export const TROUPE = 'troupe'

/** The data of a message in a prompt under {@link TROUPE}. */
export interface MessageMark {
  /** Set on an assistant message: the provider that created the state of its parts. */
  origin?: string
  /**
   * Set on a message with tool results: whether one of the tools was executed, so that the model may end without text.
   */
  acted?: true
}

/** The data of a part of an assistant message under {@link TROUPE}. */
export interface PartMark {
  /** The provider's own id of a call. */
  id?: string
  /** Only for the provider that created it. */
  hidden?: true
}
