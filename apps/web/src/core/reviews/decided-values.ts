import type { MemberReviewDetail } from '@troupe/contract/builder'
import { isSameJson } from '@troupe/editor/values/json-path'
import { reviewWords as words } from '../messages/en/operate/reviews.ts'

/** A decided value, with the run's proposal if reviewers have changed it. */
export interface DecidedValue {
  label: string
  value: unknown
  former?: { label: string; value: unknown } | undefined
}

/** The values of a decided review, or of one that nobody decided. */
export function decidedValues({
  fields,
  decision,
  proposed,
}: Pick<MemberReviewDetail, 'fields' | 'decision' | 'proposed'>): DecidedValue[] {
  return fields.map(({ name, label, value }) => {
    // An emptied field is null, which is not the proposed value.
    const decided = decision && Object.hasOwn(decision.data, name) ? decision.data[name] : value
    const ofRun = Object.hasOwn(proposed, name) ? proposed[name] : decided
    if (isSameJson(ofRun, decided)) return { label, value: decided }
    return { label, value: decided, former: { label: words.proposedByRun, value: ofRun } }
  })
}
