import type { MemberReview } from '@troupe/contract/builder'
import { reviewWords as words } from '../messages/en/operate/reviews.ts'

export type EditableReviewField = MemberReview['fields'][number]
/** A user's unsent input. */
export interface ReviewDraft {
  comment: string
  /** Only fields that were changed; null: emptied. */
  data: Record<string, string | number | boolean | null>
  /** The proposed values when the first value was entered, by field. Absent: no input, or from an earlier version. */
  seen?: Readonly<Record<string, unknown>>
}

export const EMPTY_REVIEW_DRAFT: ReviewDraft = { comment: '', data: {} }

/** Whether a value of the browser's storage is a draft of a decision. */
export function isReviewDraft(value: unknown): value is ReviewDraft {
  return (
    typeof value === 'object' &&
    value !== null &&
    'comment' in value &&
    typeof value.comment === 'string' &&
    'data' in value &&
    isObject(value.data) &&
    (!('seen' in value) || isObject(value.seen))
  )
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null

/** The value of a field as the reviewer sees it. */
export function fieldValue({ name, value }: EditableReviewField, { data }: ReviewDraft): unknown {
  return Object.hasOwn(data, name) ? data[name] : value
}

const isEmpty = (value: unknown) => value === null || (typeof value === 'string' && value.trim() === '')

/**
 * The problems that the server would report, by their paths: shown before the next review opens. A rejection may leave fields
 * empty.
 */
export function decisionErrors(
  { fields, requireRejectComment }: Pick<MemberReview, 'fields' | 'requireRejectComment'>,
  draft: ReviewDraft,
  decision: 'approve' | 'reject',
): Readonly<Record<string, string>> {
  const errors: Record<string, string> = {}
  if (decision === 'reject') {
    if (requireRejectComment && draft.comment.trim() === '') errors.comment = words.commentMissing
    return errors
  }
  for (const field of fields) {
    const value = fieldValue(field, draft)
    if (field.required && isEmpty(value)) errors[`data.${field.name}`] = words.required
    if (Number.isNaN(value)) errors[`data.${field.name}`] = words.notNumber
  }
  return errors
}

/** The errors of unchanged fields. */
export function shownErrors(
  errors: Readonly<Record<string, string>>,
  changed: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(errors).filter(([path]) => !changed.includes(path)))
}

/** A user's decision. */
export interface DecisionBody {
  decision: 'approve' | 'reject'
  comment?: string
  /** Only changed fields: the others keep the proposed values. */
  data?: ReviewDraft['data']
}

/** The body of a decision. */
export function decisionBody(draft: ReviewDraft, decision: DecisionBody['decision']): DecisionBody {
  const comment = draft.comment.trim()
  return {
    decision,
    ...(comment === '' ? {} : { comment }),
    ...(Object.keys(draft.data).length === 0 ? {} : { data: draft.data }),
  }
}
