import {
  DomainError,
  type FieldError,
  oneLine,
  POINT_NOTATION,
  type ReviewDecisionBody,
  readTypedNumber,
} from '@troupe/contract'
import { decidedFields } from '@troupe/operations/reviews/field-values'
import type { EditableField } from '@troupe/workflows/ports'
import { type FormBody, fieldText } from '../rendering/form-body.ts'

const MAX_COMMENT = 2_000
const MAX_NAME = 100

/** The input name of a review field. */
export const inputName = ({ name }: Pick<EditableField, 'name'>) => `data.${name}`

/** The submitted decision in the operation's types. */
export interface PostedDecision {
  body: ReviewDecisionBody
  /** The name entered by a visitor without a session. */
  name: string
  /** The revision of the displayed values; null: not sent by the page. */
  revision: string | null
}

/** The proposed value in the form of its input. */
export const proposedText = ({ value }: Pick<EditableField, 'value'>) => (value === null ? '' : String(value))

/** Browsers normalize all line ends. */
const withLineFeeds = (text: string) => text.replaceAll(/\r\n?/g, '\n')

/** Whether the text of an input equals the proposed value. */
export function isProposed(field: Pick<EditableField, 'value'>, text: string): boolean {
  return withLineFeeds(text) === withLineFeeds(proposedText(field))
}

/**
 * Converts a text to the field's type: an untouched one to the proposed value; an unconvertible one is kept for the operation to report.
 */
function fieldValue(field: EditableField, text: string): unknown {
  if (isProposed(field, text)) return field.value
  if (text.trim() === '') return null
  const { type } = field
  switch (type) {
    case 'number': {
      const typed = readTypedNumber(text, POINT_NOTATION)
      return typed.ok ? typed.value : text
    }
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    case 'text':
    case 'textarea':
    case 'select':
      return text
    default:
      return type satisfies never
  }
}

/** A rejection needs no values, so invalid ones are replaced by the proposed values. */
function ofTheirTypes(
  fields: readonly EditableField[],
  sent: Record<string, unknown>,
): Record<string, unknown> {
  const faulty = new Set(decidedFields(fields, sent, { isApproval: false }).errors.map(({ path }) => path))
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !faulty.has(`data.${name}`)))
}

/**
 * Reads the submitted form.
 *
 * @throws DomainError `validation_error` for a missing decision, or a comment or name that is too long
 */
export function postedDecision(fields: readonly EditableField[], form: FormBody): PostedDecision {
  const decision = fieldText(form, 'decision')
  const comment = fieldText(form, 'comment')
  // A single line, because the name is displayed within sentences.
  const name = oneLine(fieldText(form, 'name'))
  const errors: FieldError[] = []
  if (decision !== 'approve' && decision !== 'reject') {
    errors.push({ path: 'decision', message: 'must be one of: approve, reject' })
  }
  if (comment.length > MAX_COMMENT) {
    errors.push({ path: 'comment', message: `must have at most ${MAX_COMMENT} characters` })
  }
  if (name.length > MAX_NAME)
    errors.push({ path: 'name', message: `must have at most ${MAX_NAME} characters` })
  if (errors.length > 0) throw new DomainError('validation_error', 'The form is not valid.', { errors })
  const sent = Object.fromEntries(
    fields
      .filter((field) => form.has(inputName(field)))
      .map((field) => [field.name, fieldValue(field, fieldText(form, inputName(field)))]),
  )
  const data = decision === 'reject' ? ofTheirTypes(fields, sent) : sent
  return {
    body: { decision: decision as ReviewDecisionBody['decision'], comment, data },
    name,
    revision: fieldText(form, 'revision') || null,
  }
}
