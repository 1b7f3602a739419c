import { propertyOf } from '@troupe/contract'
import type { WorkflowRunDetail } from '@troupe/contract/builder'
import { type TraceSecrets, traceValue } from '@troupe/workflows'

type RunReview = WorkflowRunDetail['reviews'][number]

/**
 * A review as the trace of its run shows it: secrets are replaced in the shown values, the proposed values and the
 * changes of each decision. Reviewers see the values themselves.
 */
export function tracedReview(review: RunReview, secrets: TraceSecrets): RunReview {
  const traced = (name: string, value: unknown) =>
    propertyOf(traceValue({ [name]: value }, secrets), name) ?? null
  const tracedValues = (values: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, traced(name, value)]))
  const { instructions, data, fields, proposed, decision, votes } = review
  return {
    ...review,
    instructions: String(traceValue(instructions, secrets)),
    data: data.map(({ label, value }) => ({ label, value: traced(label, value) })),
    fields: fields.map((field) => ({ ...field, value: traced(field.name, field.value) })),
    proposed: tracedValues(proposed),
    decision: decision && { ...decision, data: tracedValues(decision.data) },
    votes: votes.map((vote) => ({
      ...vote,
      changes: vote.changes.map(({ name, label, from, to }) => ({
        ...{ name, label, from: traced(name, from), to: traced(name, to) },
      })),
    })),
  }
}
