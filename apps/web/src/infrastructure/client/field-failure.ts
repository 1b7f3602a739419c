import type { CallFailure } from './call-failure.ts'

/** The sentence for one field of a refused change; null when the field is right. */
export function fieldFailure(failure: CallFailure | null, path: string): string | null {
  return failure?.errors.find((error) => error.path === path)?.message ?? null
}

/** A failure that belongs to no field that the form shows. */
export function formFailure(failure: CallFailure | null, paths: readonly string[]): CallFailure | null {
  if (failure === null) return null
  const isShown = failure.errors.length > 0 && failure.errors.every(({ path }) => paths.includes(path))
  return isShown ? null : failure
}
