import { Type } from 'typebox'
import { Choice } from '../schema/choice.ts'
import { Nullable } from '../schema/nullable.ts'
import { StringMap } from '../schema/objects.ts'
import { E164 } from './e164.ts'

const closed = { additionalProperties: false }
const country = Type.String({ pattern: '^[A-Z]{2}$', patternMessage: 'must be an ISO 3166 code, such as GB' })
const time = Type.String({
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  patternMessage: 'must be a time, such as 21:30',
})
const optional = Type.Optional

/** A phone number in E.164 format. */
export const PhoneNumberE164 = Type.String({
  pattern: E164.source,
  patternMessage: 'must be a number in E.164 format, such as +442079460100',
})

/** The settings of a trunk, without its name and project; a credential's password is write-only. */
export const phoneTrunkFields = {
  direction: Choice(['inbound', 'outbound']),
  status: optional(Choice(['draft', 'active', 'disabled'], { description: '`active` unless given.' })),
  provisioning: optional(
    Choice(['auto', 'never', 'assumed'], {
      description:
        '`auto` (unless given) tells the media server about the trunk; `never` leaves it unprovisioned; `assumed` marks it ' +
        'provisioned, and its first call provisions it.',
    }),
  ),
  address: Type.String({
    maxLength: 261,
    pattern: '^([A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|\\[[0-9a-fA-F:.]+\\])(:\\d{1,5})?$',
    patternMessage: 'must be a host, with or without a port, such as sip.carrier.example:5060',
  }),
  transport: optional(Choice(['auto', 'udp', 'tcp', 'tls'])),
  auth: optional(
    Nullable(
      Type.Object(
        {
          username: Type.String({ minLength: 1, maxLength: 256 }),
          password: optional(
            Type.String({ minLength: 1, maxLength: 256, description: 'Absent: the stored one is kept.' }),
          ),
        },
        closed,
      ),
    ),
  ),
  fromUser: optional(Nullable(Type.String({ pattern: '^[A-Za-z0-9._~+-]{1,64}$' }))),
  mediaEncryption: optional(Choice(['disabled', 'allowed', 'required'])),
  mediaTimeoutS: optional(Nullable(Type.Integer({ minimum: 5, maximum: 3_600 }))),
  headers: optional(StringMap({ maxProperties: 20 })),
  numberFormat: optional(Choice(['e164_plus', 'e164', 'national'])),
  defaultCountry: optional(Nullable(country)),
  allowedCountries: optional(Type.Array(country, { maxItems: 250 })),
  blockedPrefixes: optional(
    Type.Array(Type.String({ pattern: '^\\+?[1-9]\\d{0,14}$' }), { maxItems: 1_000 }),
  ),
  maxConcurrentCalls: optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
  maxCps: optional(Type.Number({ minimum: 0.01, maximum: 100 })),
  maxCallsPerDestinationPerHour: optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
  dailyCallCap: optional(Nullable(Type.Integer({ minimum: 0, maximum: 1_000_000 }))),
  quietHours: optional(
    Nullable(Type.Object({ from: time, to: time, timezone: Type.String({ maxLength: 64 }) }, closed)),
  ),
  ringingTimeoutS: optional(Type.Integer({ minimum: 10, maximum: 60 })),
  maxCallS: optional(Type.Integer({ minimum: 60, maximum: 3_600 })),
}
