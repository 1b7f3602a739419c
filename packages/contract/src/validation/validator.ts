import { type Static, type TSchema, Type } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { Settings } from 'typebox/system'
import type { FieldError } from '../errors/error-body.ts'
import { MAX_FIELD_ERRORS } from '../errors/field-path.ts'
import { cutToCounts } from './cut-to-counts.ts'
import { toFieldErrors } from './field-errors.ts'

// One more than a response lists, which reveals that there are more. The default of 8 would hide most failures.
Settings.Set({ maxErrors: MAX_FIELD_ERRORS + 1 })

/** The outcome of a check: the typed value, or all failures up to the maximum that a response lists. */
export type Checked<T> = { ok: true; value: T } | { ok: false; errors: FieldError[] }

/** Checks one kind of value. `prefix` is prepended to every path. */
export type Validate<T> = (value: unknown, prefix?: string) => Checked<T>

/** Like {@link validator}, for a JSON Schema written as plain data; `T` is the type it describes. */
export function validatorOf<T>(schema: object): Validate<T> {
  return validator(Type.Unsafe<T>(schema))
}

/** By schema: a schema used by several operations is compiled once. */
const COMPILED = new WeakMap<TSchema, Validator>()

function compiledOnce(schema: TSchema): Validator {
  const known = COMPILED.get(schema)
  if (known) return known
  const compiled = Compile(schema)
  COMPILED.set(schema, compiled)
  return compiled
}

/**
 * Returns a function that checks values without changing or coercing them. The schema is compiled with the first value,
 * because a process uses only a few of several hundred schemas at start.
 */
export function validator<S extends TSchema>(schema: S): Validate<Static<S>> {
  return (value, prefix = '') => {
    const compiled = compiledOnce(schema)
    if (compiled.Check(value)) return { ok: true, value: value as Static<S> }
    const cut = cutToCounts(schema, value, prefix)
    const found = toFieldErrors(schema, compiled.Errors(cut.value), prefix)
    const cutPaths = new Set(cut.errors.map(({ path }) => path))
    const others = found.filter(({ path }) => !cutPaths.has(path))
    const errors = [...cut.errors, ...others]
    // A failure without a message is also a failure.
    return { ok: false, errors: errors.length > 0 ? errors : [{ path: prefix, message: 'is not valid' }] }
  }
}
