import type { MemberReviewDetail } from '@troupe/contract/builder'
import { isSameJson } from '@troupe/editor/values/json-path'
import { type EditableReviewField, EMPTY_REVIEW_DRAFT, type ReviewDraft } from './decision.ts'

type Proposal = Pick<MemberReviewDetail, 'fields' | 'revision'>

/** A user's input, and the `revision` of its base values. */
export interface TypedDecision {
  value: ReviewDraft | null
  base: string | null
}

/**
 * The input after one more change. Its base is still the revision of the first value, which the user has read, whatever the page
 * shows now. A comment alone has no base.
 */
export function changedDecision(
  { value, base }: TypedDecision,
  part: Partial<ReviewDraft>,
  now: Proposal,
): { value: ReviewDraft; base: string } {
  const next = { ...(value ?? EMPTY_REVIEW_DRAFT), ...part }
  if (value !== null && base !== null && hasValues(value)) return { value: next, base }
  return onProposal(next, now)
}

/**
 * The fields that another approval has changed since values were typed here: nothing is approved until the user has
 * chosen.
 */
export function contestedFields({ value, base }: TypedDecision, now: Proposal): EditableReviewField[] {
  if (value === null || base === now.revision || !hasValues(value)) return []
  const { data, seen } = value
  return now.fields.filter((field) => {
    const isTyped = Object.hasOwn(data, field.name)
    if (isTyped && isSameJson(data[field.name], field.value)) return false
    // Edits stored by earlier versions lack the values proposed at their time.
    return seen === undefined ? isTyped : !isSameJson(seen[field.name], field.value)
  })
}

/** The fields that another approval has changed since they were read, without an edit to show it. */
export function unreadFields({ value }: TypedDecision, read: Proposal, now: Proposal): EditableReviewField[] {
  if (read.revision === now.revision || (value !== null && hasValues(value))) return []
  const before = new Map(read.fields.map((field) => [field.name, field.value]))
  return now.fields.filter((field) => !isSameJson(before.get(field.name), field.value))
}

/** The input applied to the current proposed values. */
export function keptMine(value: ReviewDraft, now: Proposal): { value: ReviewDraft; base: string } {
  return onProposal(value, now)
}

/** The same without the values that another approval has changed; null: nothing that was typed is left. */
export function takenTheirs(
  typed: TypedDecision & { value: ReviewDraft },
  now: Proposal,
): { value: ReviewDraft; base: string } | null {
  const theirs = contestedFields(typed, now).map(({ name }) => name)
  const data = Object.fromEntries(Object.entries(typed.value.data).filter(([name]) => !theirs.includes(name)))
  const left = { ...typed.value, data }
  return hasValues(left) || left.comment !== '' ? onProposal(left, now) : null
}

/** The last author of a change of the proposed values since the user read them. null: nobody, or the user. */
export function proposerOf(votes: MemberReviewDetail['votes']): string | null {
  const last = votes.findLast(({ changes }) => changes.length > 0)
  return last && !last.isOwn ? last.name : null
}

const hasValues = ({ data }: ReviewDraft) => Object.keys(data).length > 0

function onProposal(value: ReviewDraft, { fields, revision }: Proposal) {
  const seen = Object.fromEntries(fields.map((field) => [field.name, field.value]))
  return { value: { ...value, seen }, base: revision }
}
