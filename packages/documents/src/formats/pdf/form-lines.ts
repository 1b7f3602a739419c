/** The textual fields of an annotation, as reported by pdf.js. */
interface Annotation {
  id?: unknown
  subtype?: unknown
  fieldName?: unknown
  alternativeText?: unknown
  fieldValue?: unknown
  fieldType?: unknown
  checkBox?: unknown
  radioButton?: unknown
  exportValue?: unknown
  buttonValue?: unknown
  contentsObj?: { str?: unknown }
  /** Drawn lines. */
  textContent?: unknown
  hasAppearance?: unknown
  pushButton?: unknown
  password?: unknown
}

/** A part of the page of an XFA form. */
interface XfaNode {
  name?: unknown
  value?: unknown
  attributes?: Record<string, unknown>
  children?: readonly unknown[]
}

/** The limit of examined nodes of a form. */
const MAX_NODES = 100_000

/**
 * Whether an annotation has its text only in its appearance: the name and time of a signature, the caption of a button,
 * the words of a stamp.
 */
export function isDrawnOnly({ subtype, fieldType, pushButton, hasAppearance }: Annotation): boolean {
  if (hasAppearance !== true) return false
  return subtype === 'Stamp' || (subtype === 'Widget' && (fieldType === 'Sig' || pushButton === true))
}

/**
 * Values of form fields with their labels, free texts on the page, and notes: a line for each.
 *
 * @param drawn the drawn texts of annotations, by their ids
 */
export function formLines(
  annotations: readonly Annotation[],
  drawn: ReadonlyMap<string, string>,
  xfa: XfaNode | null,
): string[] {
  const lines = annotations.flatMap((annotation) => annotationLine(annotation, drawn))
  return [...lines, ...(xfa ? xfaValues(xfa) : [])]
}

function annotationLine(annotation: Annotation, drawn: ReadonlyMap<string, string>): string[] {
  if (isDrawnOnly(annotation)) {
    const text = textOf(drawn.get(textOf(annotation.id))).replace(/\s+/gu, ' ')
    if (text !== '') return [text]
  }
  if (annotation.subtype !== 'Widget') {
    const { textContent } = annotation
    const note =
      textOf(annotation.contentsObj?.str) ||
      (Array.isArray(textContent) ? textContent.map(textOf).filter(Boolean).join(' ') : '')
    return note === '' ? [] : [note]
  }
  if (annotation.password === true) return []
  const value = fieldValue(annotation)
  if (value === '') return []
  const label = textOf(annotation.alternativeText) || readableName(textOf(annotation.fieldName))
  return [label === '' ? value : `${label}: ${value}`]
}

function fieldValue({
  fieldType,
  checkBox,
  radioButton,
  exportValue,
  buttonValue,
  fieldValue,
}: Annotation): string {
  if (fieldType === 'Sig') return ''
  if (checkBox === true)
    return textOf(fieldValue) !== '' && fieldValue !== 'Off' && fieldValue === exportValue ? '☑' : ''
  if (radioButton === true) return fieldValue === buttonValue ? textOf(buttonValue) : ''
  // Push buttons have no typed value.
  if (fieldType === 'Btn') return ''
  return Array.isArray(fieldValue) ? fieldValue.map(textOf).filter(Boolean).join(', ') : textOf(fieldValue)
}

/** `topmostSubform[0].Page1[0].First_name[0]` is "First name". */
function readableName(name: string): string {
  const last = name.split('.').at(-1) ?? ''
  return last.replace(/\[\d+\]$/, '').replaceAll('_', ' ')
}

/** The values of the fields of an XFA form; its other text is in the text of the page. */
function xfaValues(root: XfaNode): string[] {
  const values: string[] = []
  const open: unknown[] = [root]
  for (let count = 0; open.length > 0 && count < MAX_NODES; count += 1) {
    const node = open.pop()
    if (typeof node !== 'object' || node === null) continue
    const { name, value, attributes, children }: XfaNode = node
    if (name === 'input' || name === 'textarea' || name === 'select') {
      const typed = textOf(attributes?.value) || textOf(attributes?.textContent) || textOf(value)
      const label = textOf(attributes?.['aria-label'])
      const isMark = attributes?.type === 'checkbox' || attributes?.type === 'radio'
      const shown = isMark ? (attributes?.checked === true ? '☑' : '') : typed
      if (shown !== '') values.push(label === '' ? shown : `${label}: ${shown}`)
    }
    if (children) open.push(...children.toReversed().slice(0, MAX_NODES))
  }
  return values
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') return ''
  return value
    .split(/[\r\n]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')
}
