import type { FieldError } from '@troupe/contract'
import { asSentence } from '../../core/format/sentence.ts'
import type { CallFailure } from './call-failure.ts'

/** The sentence for one field of a refused change; null if the field is valid. */
export function fieldFailure(failure: CallFailure | null, path: string): string | null {
  return asSentence(failure?.errors.find((error) => error.path === path)?.message ?? null)
}

/** The error of a field, or of a value below it. */
export function errorBelow(failure: CallFailure | null, path: string): FieldError | null {
  return failure?.errors.find((error) => error.path === path || error.path.startsWith(`${path}.`)) ?? null
}

/** A failure that belongs to no field that the form shows, with the errors of those that it does not show. */
export function formFailure(failure: CallFailure | null, paths: readonly string[]): CallFailure | null {
  if (failure === null) return null
  const others = failure.errors.filter(({ path }) => !paths.includes(path))
  if (failure.errors.length > 0 && others.length === 0) return null
  return others.length === failure.errors.length ? failure : failure.withErrors(others)
}
