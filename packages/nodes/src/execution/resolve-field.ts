import { type InterpolationScope, type Resolved, resolveText, resolveValue } from '@troupe/graph'
import { NodeFailure } from '@troupe/workflows/ports'

function unwrap<T>(resolved: Resolved<T>, name: string): T {
  if (resolved.ok) return resolved.value
  // A token names itself; what is wrong with the field as a whole needs its name.
  const isToken = resolved.error.startsWith('could not resolve')
  throw new NodeFailure(isToken ? resolved.error : `${name} ${resolved.error}`)
}

/** Fills in a `Text` field. Throws NodeFailure naming the token that could not be resolved. */
export function resolvedText(template: string, name: string, scope: InterpolationScope): string {
  return unwrap(resolveText(template, scope), name)
}

function within(text: string, name: string, maximum: number): string {
  if (text.length <= maximum) return text
  throw new NodeFailure(`${name} has ${text.length} characters, more than ${maximum}`)
}

/** Fills in a `Text` field that must not come out empty, nor longer than `maximum` characters. */
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

/** Fills in a `Text` field that may be null; what comes out empty is null too. */
export function optionalTextWithin(
  template: string | null,
  name: string,
  scope: InterpolationScope,
  maximum: number,
): string | null {
  const text = template === null ? '' : resolvedText(template, name, scope).trim()
  return text === '' ? null : within(text, name, maximum)
}

/** Fills in a `Value` field. Throws NodeFailure naming the token that could not be resolved. */
export function valueIn(value: unknown, name: string, scope: InterpolationScope): unknown {
  return unwrap(resolveValue(value, scope), name)
}
