import { type Static, type TProperties, Type } from 'typebox'
import { Choice } from '../schema/choice.ts'
import { Nullable } from '../schema/nullable.ts'
import { PhoneNumberE164, phoneTrunkFields } from '../voice/phone-trunk.ts'
import { STT_PROVIDERS, TTS_PROVIDERS } from '../voice/voice-providers.ts'
import { VoiceSettings } from '../voice/voice-settings.ts'
import { closed, id, project, reference, Slug, title } from './bundle-fields.ts'

/** A provider of speech for an agent; the other keys of `stt` and `tts` are settings. */
const speechOf = <const P extends readonly string[], T extends TProperties>(providers: P, settings: T) => {
  /** Slug or id of a credential that the provider needs. */
  const credential = Type.Optional(Nullable(reference))
  const { model, voice } = VoiceSettings.properties.tts.properties
  const fallback = Type.Object({ provider: Choice(providers), credential, model, voice })
  return Type.Object({
    ...settings,
    provider: Choice(providers),
    credential,
    fallbacks: Type.Optional(Type.Array(fallback, { maxItems: 3 })),
  })
}

/** Speech settings of an agent. An agent has at most one configuration. */
export const BundleVoiceConfiguration = Type.Object(
  {
    slug: Slug,
    id,
    agent: reference,
    stt: speechOf(STT_PROVIDERS, VoiceSettings.properties.stt.properties),
    tts: speechOf(TTS_PROVIDERS, VoiceSettings.properties.tts.properties),
    /** Without `stt` and `tts`. */
    settings: Type.Optional(Type.Omit(VoiceSettings, ['stt', 'tts'])),
  },
  closed,
)

/** A connection to a carrier. */
export const BundlePhoneTrunk = Type.Object(
  { slug: Slug, name: title, id, project, ...phoneTrunkFields },
  closed,
)

/** A caller id of a trunk. */
export const BundlePhoneNumber = Type.Object(
  {
    slug: Slug,
    id,
    trunk: reference,
    e164: PhoneNumberE164,
    /** Slug or id; its agent speaks. Without one, no call is placed from the number. */
    voiceConfiguration: Type.Optional(Nullable(reference)),
  },
  closed,
)

export type BundleVoiceConfiguration = Static<typeof BundleVoiceConfiguration>
export type BundlePhoneTrunk = Static<typeof BundlePhoneTrunk>
export type BundlePhoneNumber = Static<typeof BundlePhoneNumber>
