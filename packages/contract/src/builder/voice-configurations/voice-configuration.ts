import { type Static, Type } from 'typebox'
import { Slug } from '../../bundles/bundle-fields.ts'
import { Choice } from '../../schema/choice.ts'
import { IsoTimestamp, Uuid } from '../../schema/formats.ts'
import type {
  AgentId,
  CredentialId,
  PhoneNumberId,
  ProjectId,
  VoiceConfigurationId,
} from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { Page } from '../../schema/page.ts'
import { STT_PROVIDERS, TTS_PROVIDERS } from '../../voice/voice-providers.ts'
import { VoiceSettings } from '../../voice/voice-settings.ts'
import { baseVersion } from '../organization/organization.ts'
import { savedChanges } from '../unsaved-changes/operations.ts'
import { ChangeAuthor } from '../versions/version.ts'

const closed = { additionalProperties: false }

/** Speech settings of an agent. */
export const VoiceConfiguration = Type.Object({
  voiceConfigId: Uuid<VoiceConfigurationId>(),
  slug: Type.String(),
  agentId: Uuid<AgentId>(),
  agentName: Type.String(),
  agentStatus: Type.String({ description: 'An archived agent accepts no sessions or calls.' }),
  projectId: Nullable(
    Uuid<ProjectId>({ description: 'That of the agent; null at the level of the organization.' }),
  ),
  projectName: Nullable(Type.String()),
  sttProvider: Type.String({ description: 'Speech to text.' }),
  ttsProvider: Type.String({ description: 'Text to speech.' }),
  sttCredentialId: Nullable(Uuid<CredentialId>()),
  ttsCredentialId: Nullable(Uuid<CredentialId>()),
  settings: VoiceSettings,
  phoneNumbers: Type.Array(Type.Object({ phoneNumberId: Uuid<PhoneNumberId>(), e164: Type.String() }), {
    description: 'The numbers that it speaks for, at most 100.',
  }),
  version: Type.Integer({ description: 'Increases with every change.' }),
  changedBy: Nullable(ChangeAuthor),
  createdAt: IsoTimestamp(),
  updatedAt: IsoTimestamp(),
})
export type VoiceConfiguration = Static<typeof VoiceConfiguration>
export const VoiceConfigurationPage = Page(VoiceConfiguration)

const speech = {
  sttProvider: Choice(STT_PROVIDERS),
  ttsProvider: Choice(TTS_PROVIDERS),
  sttCredentialId: Type.Optional(
    Nullable(Uuid<CredentialId>({ description: 'Its hosts must cover the address of the provider.' })),
  ),
  ttsCredentialId: Type.Optional(Nullable(Uuid<CredentialId>())),
  settings: Type.Optional(VoiceSettings),
}
const written = { slug: Slug, agentId: Uuid<AgentId>(), ...speech }

export const CreateVoiceConfigurationBody = Type.Object(
  { id: Type.Optional(Uuid<VoiceConfigurationId>()), ...written },
  {
    ...closed,
    examples: [
      {
        slug: 'desk-voice',
        agentId: '00000000-0000-4000-8000-000000000000',
        sttProvider: 'local-pocketsphinx',
        ttsProvider: 'local-flite',
        settings: { language: 'en', greeting: { text: 'Good morning. How can I help?' } },
      },
    ],
  },
)
export type CreateVoiceConfigurationBody = Static<typeof CreateVoiceConfigurationBody>

/** The given fields; `settings` is replaced as a whole. */
export const UpdateVoiceConfigurationBody = Type.Object(
  { ...Type.Partial(Type.Object(written)).properties, version: baseVersion, savedChanges },
  closed,
)
export type UpdateVoiceConfigurationBody = Static<typeof UpdateVoiceConfigurationBody>

/** A stored voice, an unsaved one, or a stored one with changes. */
export const TestVoiceConfigurationBody = Type.Object(
  {
    voiceConfigId: Type.Optional(
      Uuid<VoiceConfigurationId>({ description: 'Absent fields below come from this one.' }),
    ),
    agentId: Type.Optional(
      Uuid<AgentId>({ description: 'Its project determines the permitted credentials.' }),
    ),
    ttsProvider: Type.Optional(speech.ttsProvider),
    ttsCredentialId: speech.ttsCredentialId,
    settings: speech.settings,
    text: Type.Optional(
      Type.String({ minLength: 1, maxLength: 500, description: 'The greeting by default.' }),
    ),
  },
  { ...closed, examples: [{ ttsProvider: 'local-flite', text: 'Hello, how can I help you?' }] },
)
export type TestVoiceConfigurationBody = Static<typeof TestVoiceConfigurationBody>

/** A spoken sentence. */
export const SpokenTest = Type.Object({
  provider: Type.String(),
  text: Type.String(),
  latencyMs: Type.Integer({ description: 'From the request to the complete audio.' }),
  audio: Type.String({ description: 'A WAV file as a data URL: `data:audio/wav;base64,…`.' }),
})
export type SpokenTest = Static<typeof SpokenTest>
