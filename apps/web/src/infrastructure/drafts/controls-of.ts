import type { CallFailure } from '../client/call-failure.ts'
import { fieldFailure } from '../client/field-failure.ts'
import type { TypedForm } from './use-typed-form.ts'

/** Gives the control of a field its value, its change, and the sentence of the server that refused it. */
export function controlsOf<F extends object>(
  { fields, change }: Pick<TypedForm<F>, 'fields' | 'change'>,
  failure: CallFailure | null,
) {
  return <K extends keyof F & string>(name: K) => ({
    value: fields[name],
    onChange: (next: F[K]) => {
      const part: Partial<F> = {}
      part[name] = next
      change(part)
    },
    error: fieldFailure(failure, name),
  })
}
