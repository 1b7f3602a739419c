import { type RefObject, useEffect, useRef, useState } from 'react'
import { focusFaulty } from '../../atoms/focus/focus-faulty.ts'
import { asSentence } from '../../core/format/sentence.ts'
import { shownErrors } from '../../core/reviews/decision.ts'
import type { CallFailure } from '../../infrastructure/client/call-failure.ts'

type Errors = Readonly<Record<string, string>>

/** The errors of a decision's fields, by the server's paths. An error disappears when its field is changed. */
export function useFieldErrors(refused: CallFailure | null): {
  errors: Errors
  /** The form, in which the first faulty field gets the focus. */
  form: RefObject<HTMLDivElement | null>
  /** Records the errors found by a press, and returns whether the decision may be sent. */
  find(problems: Errors): boolean
  change(path: string): void
} {
  const [found, setFound] = useState<Errors | null>(null)
  const [changed, setChanged] = useState<readonly string[]>([])
  const form = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (found !== null) focusFaulty(form.current)
  }, [found])
  return {
    errors: shownErrors({ ...errorsOf(refused), ...found }, changed),
    form,
    find: (problems) => {
      setFound(problems)
      setChanged([])
      return Object.keys(problems).length === 0
    },
    change: (path) => {
      if (!changed.includes(path)) setChanged([...changed, path])
    },
  }
}

function errorsOf(failure: CallFailure | null): Errors {
  return Object.fromEntries(
    (failure?.errors ?? []).map(({ path, message }) => [path, asSentence(message) ?? message]),
  )
}
