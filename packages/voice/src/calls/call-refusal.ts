import type { ErrorCode, FieldError } from '@troupe/contract'
import { UNAVAILABLE_MESSAGE } from '../sessions/refusals.ts'

/** Why a call was not placed, or how it failed, for the caller of the API. */
export interface CallRefusal {
  code: Extract<
    ErrorCode,
    | 'validation_error'
    | 'wrong_direction'
    | 'trunk_not_provisioned'
    | 'phone_number_missing_voice_config'
    | 'forbidden'
    | 'budget_required'
    | 'budget_exceeded'
    | 'concurrency_limit_reached'
    | 'rate_limit_exceeded'
    | 'idempotency_conflict'
    | 'call_failed'
    | 'voice_infrastructure_unavailable'
  >
  message: string
  errors?: FieldError[]
  /** Set for `rate_limit_exceeded`. */
  retryAfterS?: number
}

export const UNAVAILABLE: CallRefusal = {
  code: 'voice_infrastructure_unavailable',
  message: UNAVAILABLE_MESSAGE,
}

export const CANCELED_MESSAGE = 'The call was canceled before it was answered.'

export const REFUSALS = {
  forbidden: { code: 'forbidden', message: 'This trunk is not available to this API key.' },
  wrongDirection: { code: 'wrong_direction', message: 'The trunk is an inbound trunk.' },
  unprovisioned: {
    code: 'trunk_not_provisioned',
    message: 'The trunk has not finished provisioning.',
  },
  inactive: { code: 'trunk_not_provisioned', message: 'The trunk is not active.' },
  noVoice: {
    code: 'phone_number_missing_voice_config',
    message:
      'The phone number has no voice configuration, or the agent of its voice configuration is archived.',
  },
  noKey: {
    code: 'phone_number_missing_voice_config',
    message: 'The voice configuration of the phone number has no usable credential for its provider.',
  },
  foreignVoice: {
    code: 'phone_number_missing_voice_config',
    message: 'The agent of the phone number does not belong to the project of the trunk.',
  },
  budgetRequired: {
    code: 'budget_required',
    message: 'Configure a voice_minutes budget for this organization before placing calls.',
  },
  budgetExceeded: {
    code: 'budget_exceeded',
    message: "The voice_minutes budget for this call's scope is exhausted.",
  },
  otherBody: {
    code: 'idempotency_conflict',
    message: 'The idempotency key was used with another body.',
  },
  erased: {
    code: 'idempotency_conflict',
    message: 'The call of this idempotency key was answered, and its conversation has been erased since.',
  },
} as const satisfies Record<string, CallRefusal>

/** A refused field of the body. */
export function invalidCallField(path: 'to' | 'phoneNumberId', message: string): CallRefusal {
  return { code: 'validation_error', message: 'The request is not valid.', errors: [{ path, message }] }
}
