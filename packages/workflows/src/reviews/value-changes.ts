import { isDeepStrictEqual } from 'node:util'
import type { CastVote, EditableField } from '../ports/review-store.ts'

type Values = Readonly<Record<string, unknown>>
type NamedField = Pick<EditableField, 'name' | 'label'>

/** A field that a vote has changed. */
export interface ValueChange extends NamedField {
  from: unknown
  to: unknown
}

/** The run's proposal, by field. */
export function valuesOfRun(
  fields: readonly Pick<EditableField, 'name' | 'value' | 'proposed'>[],
): Record<string, EditableField['value']> {
  return Object.fromEntries(
    fields.map(({ name, value, proposed }) => [name, proposed === undefined ? value : proposed]),
  )
}

/** The fields that a vote proposes to the next reviewer; the run's proposal is kept with each. */
export function proposedOn(
  before: readonly EditableField[],
  decided: readonly EditableField[],
): EditableField[] {
  const ofRun = valuesOfRun(before)
  return decided.map((field) => ({ ...field, proposed: ofRun[field.name] ?? null }))
}

/** The changes of a vote to the values proposed to it. Without `data`, which is erased with the trace of the run, nothing is known. */
export function changesOf(fields: readonly NamedField[], found: Values, data: Values): ValueChange[] {
  return fields
    .filter(({ name }) => Object.hasOwn(data, name) && !isDeepStrictEqual(found[name], data[name]))
    .map(({ name, label }) => ({ name, label, from: found[name] ?? null, to: data[name] ?? null }))
}

/**
 * Votes with their changes to the values proposed to them: replaced votes (a voter who approved and then rejected, the
 * visitors of one link) are only in the audit log.
 */
export function withChanges<Vote extends Pick<CastVote, 'data' | 'found'>>(
  fields: readonly NamedField[],
  votes: readonly Vote[],
): (Vote & { changes: ValueChange[] })[] {
  return votes.map((vote) => ({ ...vote, changes: changesOf(fields, vote.found, vote.data) }))
}
