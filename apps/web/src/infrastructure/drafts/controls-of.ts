import type { CallFailure } from '../client/call-failure.ts'
import { fieldFailure } from '../client/field-failure.ts'
import type { TypedForm } from './use-typed-form.ts'

/** The props of a field's control: its value, change handler and error. */
export type Controls<F> = <K extends keyof F & string>(
  name: K,
) => { value: F[K]; onChange(next: F[K]): void; error: string | null }

type Fields<F extends object> = Pick<TypedForm<F>, 'fields' | 'change'>

/** The controls of a form whose errors are found by the name of a field. */
export function controlsWith<F extends object>(
  { fields, change }: Fields<F>,
  errorOf: (name: string) => string | null,
): Controls<F> {
  return (name) => ({
    value: fields[name],
    onChange: (next) => {
      const part: Partial<F> = {}
      part[name] = next
      change(part)
    },
    error: errorOf(name),
  })
}

/** The controls of a form whose errors are those of a refused change. */
export function controlsOf<F extends object>(form: Fields<F>, failure: CallFailure | null): Controls<F> {
  return controlsWith(form, (name) => fieldFailure(failure, name))
}
