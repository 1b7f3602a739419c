import type { Template, ToolTemplatePart } from '@troupe/contract'
import { isJsonObject, solePlaceholder } from '@troupe/contract'
import type { ContextValues } from '../context/context-values.ts'

/** What placeholders are filled with. */
export interface FillValues {
  input: Readonly<Record<string, unknown>>
  context: ContextValues
}

type Placeholder = Exclude<ToolTemplatePart, { kind: 'text' }>

/** A placeholder that has no value, or one that its place cannot hold. */
export class Unfillable extends Error {
  override readonly name = 'Unfillable'
  /** Whether the model can change it. */
  readonly isArgument: boolean

  constructor(placeholder: Placeholder, problem: string) {
    super(`${nameOf(placeholder)} ${problem}`)
    this.isArgument = placeholder.kind === 'argument'
  }
}

function nameOf(placeholder: Placeholder): string {
  return placeholder.kind === 'argument' ? placeholder.name : `context.${placeholder.path.join('.')}`
}

/** The value of a placeholder; undefined when it is absent. */
export function filling(placeholder: Placeholder, { input, context }: FillValues): unknown {
  if (placeholder.kind === 'argument') {
    return Object.hasOwn(input, placeholder.name) ? input[placeholder.name] : undefined
  }
  let value: unknown = context
  for (const key of placeholder.path) {
    value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
  }
  return value
}

/** A value as text: JSON for objects and lists. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value)
}

/**
 * A template as text, its values encoded by `encode`.
 *
 * @throws Unfillable
 */
export function fillText(
  template: Template,
  values: FillValues,
  encode: (text: string, placeholder: Placeholder) => string,
): string {
  const texts = template.map((part) => {
    if (part.kind === 'text') return part.text
    const value = filling(part, values) ?? null
    if (value === null) throw new Unfillable(part, 'is missing')
    return encode(textOf(value), part)
  })
  return texts.join('')
}

/** The value of a template that is one placeholder, with its type; undefined for any other template. */
export function soleValue(template: Template, values: FillValues): { value: unknown } | undefined {
  const placeholder = solePlaceholder(template)
  return placeholder ? { value: filling(placeholder, values) } : undefined
}
