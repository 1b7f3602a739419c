import type { SharedV4ProviderMetadata } from '@ai-sdk/provider'

/**
 * A part of a model's step that its provider must get back as it gave it: signatures of thoughts, encrypted reasoning,
 * phases, its own ids of calls. Metadata is the provider's and is never read here.
 */
export type StatePart =
  /** `text` absent: the text of the step. `hidden`: no part of the answer, and for no other provider. */
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
 * A step of a model as its provider knows it. It is stored with the step, replayed to the provider that gave it only, and
 * shown to nobody.
 */
export interface StepState {
  /** Names the provider that gave it; made and compared by the adapter of the models only. */
  origin: string
  /** In the order of the answer. */
  parts: readonly StatePart[]
}

/** The most UTF-8 bytes of JSON that the state of one step may have: a larger one is left out whole. */
export const MAX_STATE_BYTES = 2 * 1024 * 1024

/**
 * The namespace in the `providerOptions` of prompts and in the metadata of a chain's `finish` part that belongs to this
 * program. The chain of models reads and removes it; no provider sees it.
 */
export const TROUPE = 'troupe'

/** What a message of a prompt says under {@link TROUPE}. */
export interface MessageMark {
  /** Of an assistant message: the provider whose state its parts are. */
  origin?: string
  /** Of a message with results of tools: whether one of the tools was executed, so that nothing more may be left to say. */
  acted?: true
}

/** What a part of an assistant message says under {@link TROUPE}. */
export interface PartMark {
  /** The provider's own id of a call. */
  id?: string
  /** For the provider that gave it only. */
  hidden?: true
}
