import type { Template, ToolTemplatePart } from '@troupe/contract'
import { isJsonObject, solePlaceholder } from '@troupe/contract'
import type { ContextValues } from '../context/context-values.ts'

/** The values for placeholders. */
export interface FillValues {
  input: Readonly<Record<string, unknown>>
  context: ContextValues
  /** The budget of one request. */
  room: FillRoom
}

/** Maximum characters that placeholders may add to a request, because each may occur in many places. */
const MAX_FILLED = 1024 * 1024

/** Counts the characters that placeholders add to a request. */
export class FillRoom {
  #left = MAX_FILLED
  readonly #sizes = new Map<unknown, number>()

  /** @throws Unfillable if the request would get too long */
  take(value: unknown, placeholder: Placeholder): void {
    const size = this.#sizes.get(value) ?? textOf(value ?? null).length
    this.#sizes.set(value, size)
    this.#left -= size
    if (this.#left < 0) throw new Unfillable(placeholder, 'makes the request too long')
  }
}

/** A part of a template that is filled. */
export type Placeholder = Exclude<ToolTemplatePart, { kind: 'text' }>

/** A placeholder has no value, or a value that its place cannot hold. */
export class Unfillable extends Error {
  override readonly name = 'Unfillable'
  /** Whether the model can correct it. */
  readonly isArgument: boolean

  constructor(placeholder: Placeholder, problem: string) {
    super(`${nameOf(placeholder)} ${problem}`)
    this.isArgument = placeholder.kind === 'argument'
  }
}

function nameOf(placeholder: Placeholder): string {
  return placeholder.kind === 'argument' ? placeholder.name : `context.${placeholder.path.join('.')}`
}

/**
 * The value of a placeholder; undefined if it is absent.
 *
 * @throws Unfillable
 */
function filling(placeholder: Placeholder, { input, context, room }: FillValues): unknown {
  const value = givenValue(placeholder, input, context)
  room.take(value, placeholder)
  return value
}

function givenValue(placeholder: Placeholder, input: FillValues['input'], context: ContextValues): unknown {
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
 * A template as text, its values encoded by `encode`, which gets each as text and unconverted.
 *
 * @throws Unfillable
 */
export function fillText(
  template: Template,
  values: FillValues,
  encode: (text: string, placeholder: Placeholder, value: unknown) => string,
): string {
  const texts = template.map((part) => {
    if (part.kind === 'text') return part.text
    const value = filling(part, values) ?? null
    if (value === null) throw new Unfillable(part, 'is missing')
    return encode(textOf(value), part, value)
  })
  return texts.join('')
}

/** The value of a template that is one placeholder, with its type; undefined for any other template. */
export function soleValue(template: Template, values: FillValues): { value: unknown } | undefined {
  const placeholder = solePlaceholder(template)
  return placeholder ? { value: filling(placeholder, values) } : undefined
}
