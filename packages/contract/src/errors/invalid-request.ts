import { DomainError } from './domain-error.ts'
import type { FieldError } from './error-body.ts'

/** A `validation_error` with every failure of a request. */
export function invalidRequest(errors: readonly FieldError[]): DomainError {
  return new DomainError('validation_error', 'The request is not valid.', { errors })
}

/** A `validation_error` of one field, for a value that the schema cannot refuse. */
export function invalidField(path: string, message: string): DomainError {
  return invalidRequest([{ path, message }])
}
