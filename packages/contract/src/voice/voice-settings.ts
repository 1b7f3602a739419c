import { type Static, type TObject, type TProperties, Type } from 'typebox'
import { Choice } from '../schema/choice.ts'
import { Uuid } from '../schema/formats.ts'
import type { CredentialId } from '../schema/ids.ts'
import { Nullable } from '../schema/nullable.ts'
import { STT_PROVIDERS, TTS_PROVIDERS } from './voice-providers.ts'

/** Every key is optional; unknown keys are kept. */
const settings = <T extends TProperties>(properties: T): TObject<T> =>
  Type.Object(properties, { additionalProperties: true })
const optional = Type.Optional

const milliseconds = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum })
const sentence = Type.String({ minLength: 1, maxLength: 200 })
const name = Type.String({ minLength: 1, maxLength: 200 })

/** Common to hearing and speaking. `ofEach` are the properties of the provider and of each of its fallbacks. */
const speech = <const P extends readonly string[], T extends TProperties>(providers: P, ofEach: T) => ({
  ...ofEach,
  model: optional(name),
  baseUrl: optional(
    Type.String({
      minLength: 1,
      maxLength: 2_048,
      pattern: '^(https?|wss?)://[^/?#@\\s]+(/[^?#\\s]*)?$',
      patternMessage: 'must be an address such as https://speech.example/v1, without a query',
    }),
  ),
  fallbacks: optional(
    Type.Array(
      settings({
        provider: Choice(providers),
        credential_id: optional(Nullable(Uuid<CredentialId>())),
        model: optional(name),
        ...ofEach,
      }),
      { maxItems: 3, description: 'Tried in this order when the provider fails.' },
    ),
  ),
})

/**
 * Settings of hearing, speaking and turn-taking of a voice agent, as a voice configuration stores them. Times end in
 * their unit: `Ms` or `S`. `completeVoiceSettings` adds the defaults.
 */
export const VoiceSettings = settings({
  language: optional(
    Type.String({
      pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
      maxLength: 35,
      patternMessage: 'must be a BCP 47 language tag, such as en or de-AT',
    }),
  ),
  stt: optional(
    settings({
      ...speech(STT_PROVIDERS, {}),
      grammar: optional(
        Type.Array(sentence, {
          maxItems: 500,
          description: 'The only utterances that `local-pocketsphinx` distinguishes.',
        }),
      ),
    }),
  ),
  tts: optional(
    settings({
      ...speech(TTS_PROVIDERS, { voice: optional(name) }),
      speed: optional(Type.Number({ minimum: 0.5, maximum: 2 })),
    }),
  ),
  greeting: optional(
    settings({
      mode: optional(Choice(['speak', 'wait'])),
      text: optional(Type.String({ minLength: 1, maxLength: 500 })),
      interruptible: optional(Type.Boolean()),
    }),
  ),
  turn: optional(
    settings({
      detector: optional(Choice(['local', 'vad'])),
      minDelayMs: optional(milliseconds(100, 2_000)),
      maxDelayMs: optional(milliseconds(500, 6_000)),
    }),
  ),
  bargeIn: optional(
    settings({
      enabled: optional(Type.Boolean()),
      minMs: optional(milliseconds(100, 2_000)),
      minWords: optional(Type.Integer({ minimum: 0, maximum: 5 })),
    }),
  ),
  silence: optional(
    settings({
      afterS: optional(Type.Integer({ minimum: 5, maximum: 60 })),
      text: optional(sentence),
      endAfterPrompts: optional(Type.Integer({ minimum: 0, maximum: 5 })),
    }),
  ),
  filler: optional(
    settings({
      enabled: optional(Type.Boolean()),
      afterMs: optional(milliseconds(500, 5_000)),
      phrases: optional(Type.Array(sentence, { minItems: 1, maxItems: 5 })),
    }),
  ),
  fallbackText: optional(sentence),
  resumeText: optional(sentence),
  budgetText: optional(sentence),
  limits: optional(
    settings({
      maxSessionS: optional(Type.Integer({ minimum: 60, maximum: 3_600 })),
      warnBeforeEnd: optional(Type.Boolean()),
    }),
  ),
  call: optional(
    settings({
      voicemail: optional(Choice(['off', 'hang_up', 'leave_message'])),
      voicemailText: optional(Nullable(sentence)),
      disclosureText: optional(Nullable(sentence)),
      greetAfterMs: optional(milliseconds(0, 5_000)),
    }),
  ),
})
export type VoiceSettings = Static<typeof VoiceSettings>
