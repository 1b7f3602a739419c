import { type Static, Type } from 'typebox'
import { StandingReview } from '../reviews/review.ts'

/** One failed rule of a request. */
export const FieldError = Type.Object({
  path: Type.String({
    description: 'Where the value stands, for example `config.model.primary.temperature`.',
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
  message: Type.String({ description: 'What happened, for a person.' }),
  errors: Type.Optional(Type.Array(FieldError, { description: 'Every failure of a validation.' })),
  review: Type.Optional(StandingReview),
  issues: Type.Optional(Type.Array(FieldIssue, { description: 'Every field of a form that was refused.' })),
  executionId: Type.Optional(
    Type.String({ description: 'The run that was rejected, or that goes on after a timeout.' }),
  ),
  retry_after: Type.Optional(
    Type.Integer({ description: 'Seconds until the window resets; equal to `Retry-After`.' }),
  ),
})
export type ErrorBody = Static<typeof ErrorBody>
