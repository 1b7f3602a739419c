import { type Static, type TSchema, Type } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { Settings } from 'typebox/system'
import type { FieldError } from '../errors/error-body.ts'
import { toFieldErrors } from './field-errors.ts'

// Callers get all failures in one response; the default of 8 would hide the rest.
Settings.Set({ maxErrors: 200 })

/** The outcome of a check: the value with its type, or every failure. */
export type Checked<T> = { ok: true; value: T } | { ok: false; errors: FieldError[] }

/** Checks one kind of value. `prefix` is prepended to every path. */
export type Validate<T> = (value: unknown, prefix?: string) => Checked<T>

/** Like {@link validator}, for a JSON Schema written as plain data; `T` is the type it describes. */
export function validatorOf<T>(schema: object): Validate<T> {
  return validator(Type.Unsafe<T>(schema))
}

/** By schema: one that several operations have is compiled once. */
const COMPILED = new WeakMap<TSchema, Validator>()

function compiledOnce(schema: TSchema): Validator {
  const known = COMPILED.get(schema)
  if (known) return known
  const compiled = Compile(schema)
  COMPILED.set(schema, compiled)
  return compiled
}

/**
 * Returns a function that checks values without changing or coercing them. The schema is compiled with the first value, since a
 * start needs only a few of some hundred.
 */
export function validator<S extends TSchema>(schema: S): Validate<Static<S>> {
  return (value, prefix = '') => {
    const compiled = compiledOnce(schema)
    return compiled.Check(value)
      ? { ok: true, value: value as Static<S> }
      : { ok: false, errors: toFieldErrors(schema, compiled.Errors(value), prefix) }
  }
}
