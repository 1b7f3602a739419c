import { type Static, Type } from 'typebox'
import { StandingReview } from '../reviews/review.ts'
import { IsoTimestamp, Uuid } from '../schema/formats.ts'
import type { WorkflowRunId } from '../schema/ids.ts'
import { Nullable } from '../schema/nullable.ts'
import { OpenObject } from '../schema/objects.ts'

/** One failed rule of a request. */
export const FieldError = Type.Object({
  path: Type.String({
    description: 'The path of the value, for example `config.model.primary.temperature`.',
  }),
  message: Type.String(),
})
export type FieldError = Static<typeof FieldError>

/** The reason for refusing a field of a form. */
export const FieldIssue = Type.Object({
  field: Type.String({ description: 'The name of the field.' }),
  message: Type.String(),
})
export type FieldIssue = Static<typeof FieldIssue>

/** The author of a change. */
export const ChangedBy = Type.Object({
  kind: Type.String({
    description:
      '`user`, `api_key`, `operator`, `system`, or `link`: a visitor with the link of a review, whose name is self-declared.',
  }),
  id: Nullable(Uuid()),
  name: Nullable(Type.String({ description: 'Of the person or key; null when it no longer exists.' })),
})
export type ChangedBy = Static<typeof ChangedBy>

/** The current base of a stale change: the state of the resource now. */
export const CurrentVersion = Type.Object({
  id: Type.Optional(Uuid({ description: 'Of the resource, when the request did not name it.' })),
  number: Nullable(Type.Integer({ description: 'Revision of a draft, or number of a version.' })),
  versionId: Nullable(Uuid({ description: 'null for resources that only count their versions.' })),
  changedBy: Nullable(ChangedBy),
  changedAt: IsoTimestamp(),
})
export type CurrentVersion = Static<typeof CurrentVersion>

/** One save of a workflow draft. */
export const DraftSave = Type.Object({
  revision: Type.Integer({ description: 'The revision that the save created.' }),
  changeId: Nullable(Uuid()),
  changes: Type.Array(OpenObject({ description: 'As it was saved.' })),
  changedBy: ChangedBy,
  gesture: Nullable(Type.String({ description: 'Label of the change: "Rename Start".' })),
  at: IsoTimestamp(),
})
export type DraftSave = Static<typeof DraftSave>

/** The body of every error response. */
export const ErrorBody = Type.Object({
  error: Type.String({ description: 'Stable code.' }),
  message: Type.String({ description: 'The error as a sentence.' }),
  errors: Type.Optional(Type.Array(FieldError, { description: 'Every validation failure.' })),
  review: Type.Optional(StandingReview),
  current: Type.Optional(CurrentVersion),
  changesSince: Type.Optional(
    Type.Array(DraftSave, {
      description:
        'With `draft_conflict` in the builder: every save since the revision of the request, oldest first. Absent when they are not all kept, or more than 256 KB; then the draft has to be read.',
    }),
  ),
  issues: Type.Optional(Type.Array(FieldIssue, { description: 'Every invalid field of a form.' })),
  executionId: Type.Optional(
    Uuid<WorkflowRunId>({ description: 'The run that was rejected, or that continues after a timeout.' }),
  ),
  retry_after: Type.Optional(
    Type.Integer({ description: 'Seconds until the window resets; equal to `Retry-After`.' }),
  ),
})
export type ErrorBody = Static<typeof ErrorBody>
