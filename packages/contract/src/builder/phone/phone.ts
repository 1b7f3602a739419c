import { type Static, Type } from 'typebox'
import { Slug } from '../../bundles/bundle-fields.ts'
import { BundlePhoneTrunk } from '../../bundles/voice-entries.ts'
import { IsoTimestamp, Uuid } from '../../schema/formats.ts'
import type {
  AgentId,
  PhoneNumberId,
  PhoneTrunkId,
  ProjectId,
  VoiceConfigurationId,
} from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { StringMap } from '../../schema/objects.ts'
import { Page, pageQuery } from '../../schema/page.ts'
import { PhoneNumberE164 } from '../../voice/phone-trunk.ts'
import { baseVersion, SettingName } from '../organization/organization.ts'
import { DO_NOT_CALL_BATCH } from './do-not-call-batch.ts'

const closed = { additionalProperties: false }

/** A caller id of a trunk. */
export const PhoneNumber = Type.Object({
  phoneNumberId: Uuid<PhoneNumberId>(),
  trunkId: Uuid<PhoneTrunkId>(),
  slug: Type.String(),
  e164: Type.String(),
  voiceConfigId: Nullable(
    Uuid<VoiceConfigurationId>({ description: 'null: no call is placed from the number.' }),
  ),
  speaker: Nullable(
    Type.Object(
      { agentId: Uuid<AgentId>(), agentName: Type.String(), voiceSlug: Type.String() },
      { description: 'The agent that speaks for the number, and the slug of its voice.' },
    ),
  ),
  version: Type.Integer({ description: 'Increases with every change.' }),
})
export type PhoneNumber = Static<typeof PhoneNumber>

const { slug, name, id, project: _, auth, ...settings } = BundlePhoneTrunk.properties

/** A trunk with its numbers; its password is never shown. */
export const PhoneTrunk = Type.Object({
  trunkId: Uuid<PhoneTrunkId>(),
  slug: Type.String(),
  name: Type.String(),
  projectId: Nullable(Uuid<ProjectId>()),
  ...Type.Required(Type.Object(settings)).properties,
  status: Type.String({ description: '`draft`, `provisioning`, `active`, `disabled` or `failed`.' }),
  address: Type.String(),
  headers: StringMap(),
  authUsername: Nullable(Type.String()),
  hasPassword: Type.Boolean(),
  isProvisioned: Type.Boolean({ description: 'Whether the media server has the trunk as it is stored.' }),
  provisionedAt: Nullable(IsoTimestamp()),
  provisionError: Nullable(Type.String({ description: 'Why it was not provisioned, without secrets.' })),
  numbers: Type.Array(PhoneNumber),
  version: Type.Integer({ description: 'Increases with every change.' }),
  createdAt: IsoTimestamp(),
  updatedAt: IsoTimestamp(),
})
export type PhoneTrunk = Static<typeof PhoneTrunk>

const written = { slug, name, auth, ...settings, projectId: Type.Optional(Nullable(Uuid<ProjectId>())) }

export const CreatePhoneTrunkBody = Type.Object({ id, ...written, name: SettingName }, closed)
export type CreatePhoneTrunkBody = Static<typeof CreatePhoneTrunkBody>

/** The whole trunk; if absent, the password and the project are kept. */
export const UpdatePhoneTrunkBody = Type.Object({ ...written, version: baseVersion }, closed)
export type UpdatePhoneTrunkBody = Static<typeof UpdatePhoneTrunkBody>

const number = { slug: Slug, e164: PhoneNumberE164, voiceConfigId: Nullable(Uuid<VoiceConfigurationId>()) }

export const CreatePhoneNumberBody = Type.Object(number, closed)
export type CreatePhoneNumberBody = Static<typeof CreatePhoneNumberBody>

export const UpdatePhoneNumberBody = Type.Object({ ...number, version: baseVersion }, closed)
export type UpdatePhoneNumberBody = Static<typeof UpdatePhoneNumberBody>

/** A number on the do-not-call list. */
export const DoNotCallNumber = Type.Object({
  e164: PhoneNumberE164,
  status: Type.String({
    description: '`proposed` after a rejection; calls are refused once it is `confirmed`.',
  }),
  reason: Type.String(),
  createdAt: IsoTimestamp(),
})
export type DoNotCallNumber = Static<typeof DoNotCallNumber>

export const DoNotCallPage = Page(DoNotCallNumber)

export const doNotCallQuery = {
  ...pageQuery,
  q: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the number or the reason.' })),
}

const reason = Type.String({ minLength: 1, maxLength: 500 })

export const ConfirmDoNotCallBody = Type.Object({ e164: PhoneNumberE164, reason }, closed)

export const AddDoNotCallBody = Type.Object(
  { numbers: Type.Array(PhoneNumberE164, { minItems: 1, maxItems: DO_NOT_CALL_BATCH }), reason },
  closed,
)
export type AddDoNotCallBody = Static<typeof AddDoNotCallBody>

/** The outcome of adding several numbers. */
export const AddedDoNotCall = Type.Object({
  added: Type.Integer({ description: 'Numbers that are refused from now on, proposed ones included.' }),
  known: Type.Integer({ description: 'Numbers that were already confirmed; they keep their reason.' }),
})
export type AddedDoNotCall = Static<typeof AddedDoNotCall>
