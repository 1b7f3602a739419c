import { changedNumberFault, isNumberAsText, oneLine, parseId, UserId } from '@troupe/contract'
import type { InterpolationScope } from '@troupe/graph'
import {
  type EditableField,
  NodeFailure,
  type NodeHandler,
  type ReviewRequest,
} from '@troupe/workflows/ports'
import { effectHandler, ended } from '../execution/handler.ts'
import { resolvedText, valueIn } from '../execution/resolve-field.ts'
import { answeredReview } from './answered.ts'
import { deadlineSeconds, humanReview } from './definition.ts'
import { proposedValue } from './proposed-value.ts'

const MAX_TITLE = 200

/** @throws NodeFailure for a number that a number field would change */
function proposedIn(
  { type, options, value }: { type: EditableField['type']; options: readonly string[]; value: unknown },
  place: string,
  scope: InterpolationScope,
): EditableField['value'] {
  const proposed = valueIn(value, place, scope)
  if (type === 'number' && isNumberAsText(proposed)) {
    throw new NodeFailure(`${place} ${changedNumberFault(proposed)}: use a field for text`)
  }
  return proposedValue(type, options, proposed)
}

/** Opens a review without blocking; the answer is applied to the run later. `input` is a ReviewRequest. */
export const executeHumanReview: NodeHandler = effectHandler(humanReview, {
  prepare: (config, { scope }): ReviewRequest => {
    // A single line: mail subjects and texts contain it, where line breaks could pass for content of the mail.
    const title = oneLine(resolvedText(config.title, 'title', scope))
    if (title === '') throw new NodeFailure('title is empty')
    const { roles = [], userIds = [], kind } = config.reviewers
    return {
      // An overlong subject from run data must not fail the run.
      title: title.length > MAX_TITLE ? `${title.slice(0, MAX_TITLE - 1)}…` : title,
      instructions: resolvedText(config.instructions, 'instructions', scope),
      show: config.show.map(({ label, value }, index) => ({
        label,
        value: valueIn(value, `show.${index}.value`, scope),
      })),
      fields: config.fields.map(({ name, label, type, options = [], required, value }, index) => ({
        name,
        label,
        type,
        options,
        required,
        value: proposedIn({ type, options, value }, `fields.${index}.value`, scope),
      })),
      reviewers: { kind, roles, userIds: userIds.flatMap((id) => parseId(UserId, id) ?? []) },
      approvalsRequired: config.approvalsRequired,
      requireRejectComment: config.requireRejectComment,
      allowSelfApproval: config.allowSelfApproval,
      allowApiKeys: config.allowApiKeys,
      timeoutSeconds: deadlineSeconds(config.timeout),
      notify: config.notify,
    }
  },
  execute: async (review) => ended({ status: 'waiting' }, review),
  answered: answeredReview,
})
