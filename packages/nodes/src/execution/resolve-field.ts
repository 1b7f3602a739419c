import { type InterpolationScope, type Resolved, resolveText, resolveValue } from '@troupe/graph'
import { NodeFailure } from '@troupe/workflows/ports'

function unwrap<T>(resolved: Resolved<T>, name: string): T {
  if (resolved.ok) return resolved.value
  // A token error names its token; an error of the complete field needs the field's name.
  const isToken = resolved.error.startsWith('could not resolve')
  throw new NodeFailure(isToken ? resolved.error : `${name} ${resolved.error}`)
}

/** Resolves a `Text` field. Throws NodeFailure naming the token that could not be resolved. */
export function resolvedText(template: string, name: string, scope: InterpolationScope): string {
  return unwrap(resolveText(template, scope), name)
}

function within(text: string, name: string, maximum: number): string {
  if (text.length <= maximum) return text
  throw new NodeFailure(`${name} has ${text.length} characters, more than ${maximum}`)
}

/** Resolves a `Text` field whose result must not be empty or longer than `maximum` characters. */
export function textWithin(
  template: string,
  name: string,
  scope: InterpolationScope,
  maximum: number,
): string {
  const text = resolvedText(template, name, scope)
  if (text.trim() === '') throw new NodeFailure(`${name} is empty`)
  return within(text, name, maximum)
}

/** Resolves a nullable `Text` field; an empty result is also null. */
export function optionalTextWithin(
  template: string | null,
  name: string,
  scope: InterpolationScope,
  maximum: number,
): string | null {
  const text = template === null ? '' : resolvedText(template, name, scope).trim()
  return text === '' ? null : within(text, name, maximum)
}

/** Resolves a `Value` field. Throws NodeFailure naming the token that could not be resolved. */
export function valueIn(value: unknown, name: string, scope: InterpolationScope): unknown {
  return unwrap(resolveValue(value, scope), name)
}
