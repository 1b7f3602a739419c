import { MatchBudget } from '../conditions/match-budget.ts'
import { readField } from './field-readers.ts'
import type { Form } from './form.ts'

/** Why a field was refused. */
export interface SubmissionIssue {
  /** The name of the field. */
  field: string
  message: string
}

/** Uploaded files that a field names; whether they exist is for the server to see. */
export interface NamedFiles {
  field: string
  /** Lower-case UUIDs without repetition, at least one. */
  ids: readonly string[]
  /** Whether the field's value is a list. */
  multiple: boolean
}

/** A submission that fits its form, or everything that does not. */
export type Submission =
  | {
      ok: true
      /** By field name, without files; what was left out has no key. An object without inherited surprises. */
      values: Record<string, string | number | string[]>
      files: readonly NamedFiles[]
    }
  | { ok: false; issues: readonly SubmissionIssue[] }

/**
 * Reads what somebody submitted: JSON, or texts as browsers send them. Keys that are no field of the form are left out;
 * an empty optional value counts as left out.
 */
export function readSubmission(
  form: Pick<Form, 'fields'>,
  given: Readonly<Record<string, unknown>>,
): Submission {
  const issues: SubmissionIssue[] = []
  const files: NamedFiles[] = []
  const values: [string, string | number | string[]][] = []
  const budget = new MatchBudget()
  for (const field of form.fields) {
    const { name } = field
    // Own keys only: a field may be named like something that every object inherits.
    const reading = readField(field, Object.hasOwn(given, name) ? given[name] : undefined, budget)
    if (reading.kind === 'fault') issues.push({ field: name, message: reading.message })
    if (reading.kind === 'value') values.push([name, reading.value])
    if (reading.kind === 'files') {
      files.push({ field: name, ids: reading.ids, multiple: field.type === 'file' && field.multiple })
    }
  }
  // `fromEntries` defines keys instead of assigning them, so that `__proto__` is a key like any other.
  return issues.length > 0 ? { ok: false, issues } : { ok: true, values: Object.fromEntries(values), files }
}
