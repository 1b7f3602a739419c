import type { UploadId } from '@troupe/contract'
import { MatchBudget } from '@troupe/json-schema'
import { readField } from './field-readers.ts'
import type { CompleteFormField, Form } from './form.ts'

/** The reason for refusing a field. */
export interface SubmissionIssue {
  /** The name of the field. */
  field: string
  message: string
}

/** The uploaded files of a field; the server checks that they exist. */
export interface NamedFiles {
  field: string
  /** Distinct, at least one. */
  ids: readonly UploadId[]
  /** Whether the field's value is a list. */
  multiple: boolean
}

/** A valid submission, or all its failures. */
export type Submission =
  | {
      ok: true
      /** By field name, without uploaded files; an omitted field is null, and an omitted list is empty. */
      values: Record<string, string | number | string[] | null>
      files: readonly NamedFiles[]
    }
  | { ok: false; issues: readonly SubmissionIssue[] }

/** Whether the value of a field is a list that steps may loop over. */
function isList(field: CompleteFormField): boolean {
  return field.type === 'checkboxes' || (field.type === 'file' && field.multiple)
}

/**
 * Reads a submission: JSON, or texts as browsers send them. Keys that are not fields of the form are dropped. An empty
 * optional value counts as omitted, and is bound by its name, so that no token of it fails a run.
 */
export function readSubmission(
  form: Pick<Form, 'fields'>,
  given: Readonly<Record<string, unknown>>,
): Submission {
  const issues: SubmissionIssue[] = []
  const files: NamedFiles[] = []
  const values: [string, string | number | string[] | null][] = []
  const budget = new MatchBudget()
  for (const field of form.fields) {
    const { name } = field
    // Own keys only: a field may share its name with an inherited property of objects.
    const reading = readField(field, Object.hasOwn(given, name) ? given[name] : undefined, budget)
    if (reading.kind === 'fault') issues.push({ field: name, message: reading.message })
    if (reading.kind === 'absent') values.push([name, isList(field) ? [] : null])
    if (reading.kind === 'value') values.push([name, reading.value])
    if (reading.kind === 'files') {
      files.push({ field: name, ids: reading.ids, multiple: field.type === 'file' && field.multiple })
    }
  }
  // `fromEntries` defines keys instead of assigning them, so that `__proto__` is a key like any other.
  return issues.length > 0 ? { ok: false, issues } : { ok: true, values: Object.fromEntries(values), files }
}
