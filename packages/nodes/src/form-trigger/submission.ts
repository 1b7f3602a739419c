import { MatchBudget } from '@troupe/json-schema'
import { readField } from './field-readers.ts'
import type { Form } from './form.ts'

/** Why a field was refused. */
export interface SubmissionIssue {
  /** The name of the field. */
  field: string
  message: string
}

/** Uploaded files that a field names; the server checks that they exist. */
export interface NamedFiles {
  field: string
  /** Distinct lower-case UUIDs, at least one. */
  ids: readonly string[]
  /** Whether the field's value is a list. */
  multiple: boolean
}

/** A valid submission, or all its failures. */
export type Submission =
  | {
      ok: true
      /** By field name, without files; omitted fields have no key. */
      values: Record<string, string | number | string[]>
      files: readonly NamedFiles[]
    }
  | { ok: false; issues: readonly SubmissionIssue[] }

/**
 * Reads a submission: JSON, or texts as browsers send them. Keys that are not fields of the form are dropped; an empty
 * optional value counts as omitted.
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
    // Own keys only: a field may share its name with an inherited property of objects.
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
