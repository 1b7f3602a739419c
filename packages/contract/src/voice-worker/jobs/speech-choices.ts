import { type Static, Type } from 'typebox'
import { Choice } from '../../schema/choice.ts'
import { Nullable } from '../../schema/nullable.ts'
import { STT_PROVIDERS, TTS_PROVIDERS } from '../../voice/voice-providers.ts'

const provider = {
  /** null: the provider's default model. */
  model: Nullable(Type.String()),
  /** null: the provider's own address. */
  baseUrl: Nullable(Type.String()),
  /** The secret of the configured credential; null without one. */
  apiKey: Nullable(Type.String()),
}

/** A speech-to-text provider with everything that it needs. */
export const SttChoice = Type.Object({
  provider: Choice(STT_PROVIDERS),
  ...provider,
  /** Whole utterances that `local-pocketsphinx` can distinguish; null: free speech. */
  grammar: Nullable(Type.Array(Type.String())),
})
export type SttChoice = Static<typeof SttChoice>

/** A text-to-speech provider with everything that it needs. */
export const TtsChoice = Type.Object({
  provider: Choice(TTS_PROVIDERS),
  ...provider,
  /** null: the provider's default voice. */
  voice: Nullable(Type.String()),
  /** 1 is the voice's own speed. */
  speed: Type.Number(),
})
export type TtsChoice = Static<typeof TtsChoice>
