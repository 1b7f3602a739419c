import { isDeepStrictEqual } from 'node:util'
import type { CastVote, EditableField } from '../ports/review-store.ts'

type Values = Readonly<Record<string, unknown>>
type NamedField = Pick<EditableField, 'name' | 'label'>

/** A field that a vote has changed. */
export interface ValueChange extends NamedField {
  from: unknown
  to: unknown
}

/** What the run proposed, by field. */
export function valuesOfRun(
  fields: readonly Pick<EditableField, 'name' | 'value' | 'proposed'>[],
): Record<string, EditableField['value']> {
  return Object.fromEntries(
    fields.map(({ name, value, proposed }) => [name, proposed === undefined ? value : proposed]),
  )
}

/** The fields that a vote proposes to the next reviewer; what the run proposed stays with each. */
export function proposedOn(
  before: readonly EditableField[],
  decided: readonly EditableField[],
): EditableField[] {
  const ofRun = valuesOfRun(before)
  return decided.map((field) => ({ ...field, proposed: ofRun[field.name] ?? null }))
}

/** What a vote has changed in the values that it found. Without `data`, which is erased with the trace of the run, nothing is known. */
export function changesOf(fields: readonly NamedField[], found: Values, data: Values): ValueChange[] {
  return fields
    .filter(({ name }) => Object.hasOwn(data, name) && !isDeepStrictEqual(found[name], data[name]))
    .map(({ name, label }) => ({ name, label, from: found[name] ?? null, to: data[name] ?? null }))
}

/**
 * Votes, oldest first, with what each has changed. A voter who approved and then rejected has one vote, so a change by such an
 * approval is counted to the vote after it; the audit log has both.
 */
export function withChanges<Vote extends Pick<CastVote, 'data'>>(
  fields: readonly EditableField[],
  votes: readonly Vote[],
): (Vote & { changes: ValueChange[] })[] {
  let found: Values = valuesOfRun(fields)
  return votes.map((vote) => {
    const changes = changesOf(fields, found, vote.data)
    found = { ...found, ...vote.data }
    return { ...vote, changes }
  })
}
