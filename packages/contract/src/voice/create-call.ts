import { type Static, Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { Uuid } from '../schema/formats.ts'
import type { PhoneNumberId, PhoneTrunkId } from '../schema/ids.ts'

/** The request of a call. */
export const CreateCallBody = Type.Object({
  trunkId: Uuid<PhoneTrunkId>({ description: 'An outbound trunk that is active and fully provisioned.' }),
  to: Type.String({
    pattern: '^(\\+[1-9]\\d{6,14}|\\d{3,15})$',
    patternMessage: 'must be a number in E.164 format or have 3 to 15 digits',
    description: 'The number to call: E.164, or digits only.',
  }),
  phoneNumberId: Uuid<PhoneNumberId>({
    description: 'The caller id: a number of the trunk that has a voice configuration.',
  }),
})
export type CreateCallBody = Static<typeof CreateCallBody>

/** An answered call. */
export const OutboundCall = Type.Object({
  roomName: Type.String(),
  sipCallId: Type.String(),
  to: Type.String({ description: 'As it was sent.' }),
  from: Type.String({ description: 'The caller id in E.164 format.' }),
  trunkId: Uuid<PhoneTrunkId>(),
})
export type OutboundCall = Static<typeof OutboundCall>

export const createCallOperation = defineOperation({
  id: 'createCall',
  method: 'POST',
  path: '/api/v1/calls',
  tag: 'Voice',
  summary: 'Call a phone number',
  description:
    'Dials, and responds when the call is answered, fails or times out: after up to the ringing timeout of the trunk and ' +
    'five seconds. A client that disconnects before cancels the call. `Idempotency-Key`: a repeated request waits for ' +
    'the same call, or gets its outcome.',
  access: 'api_key',
  headers: Type.Object({
    'idempotency-key': Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        pattern: '^[\\x20-\\x7e]*$',
        patternMessage: 'must contain only printable ASCII characters',
      }),
    ),
  }),
  body: CreateCallBody,
  success: { status: 201, description: 'The call was answered.', body: OutboundCall },
  errors: [
    'validation_error',
    'wrong_direction',
    'trunk_not_provisioned',
    'phone_number_missing_voice_config',
    'forbidden',
    'budget_required',
    'idempotency_conflict',
    'concurrency_limit_reached',
    'budget_exceeded',
    'call_failed',
    'voice_infrastructure_unavailable',
  ],
})
