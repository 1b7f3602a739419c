import { type Static, Type } from 'typebox'
import { StandingReview } from '../reviews/review.ts'
import { Uuid } from '../schema/formats.ts'

/** One failed rule of a request. */
export const FieldError = Type.Object({
  path: Type.String({
    description: 'The path of the value, for example `config.model.primary.temperature`.',
  }),
  message: Type.String(),
})
export type FieldError = Static<typeof FieldError>

/** Why a field of a form was refused. */
export const FieldIssue = Type.Object({
  field: Type.String({ description: 'The name of the field.' }),
  message: Type.String(),
})
export type FieldIssue = Static<typeof FieldIssue>

/** The body of every error response. */
export const ErrorBody = Type.Object({
  error: Type.String({ description: 'Stable code.' }),
  message: Type.String({ description: 'What happened, as a sentence.' }),
  errors: Type.Optional(Type.Array(FieldError, { description: 'Every validation failure.' })),
  review: Type.Optional(StandingReview),
  issues: Type.Optional(Type.Array(FieldIssue, { description: 'Every invalid field of a form.' })),
  executionId: Type.Optional(
    Uuid({ description: 'The run that was rejected, or that continues after a timeout.' }),
  ),
  retry_after: Type.Optional(
    Type.Integer({ description: 'Seconds until the window resets; equal to `Retry-After`.' }),
  ),
})
export type ErrorBody = Static<typeof ErrorBody>
