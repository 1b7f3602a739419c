import { useDeferredValue, useState } from 'react'
import type { CallFailure } from '../../infrastructure/client/call-failure.ts'
import type { OperationName } from '../../infrastructure/client/operation-types.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useOperations } from '../../infrastructure/queries/use-operations.ts'
import { isFoundBy } from './is-found-by.ts'
import type { SearchedList } from './searched-lists.ts'

/** How many things a picker offers at once; typing finds the others. */
const OFFERED = 50

/** What a picker shows of a list. */
export interface Choices<Thing> {
  /**
   * What matches the typed text, at most 50 things. Until the server has answered, those of its former answer that match, so
   * that a key never chooses what the text excludes.
   */
  found: readonly Thing[]
  /** The answer for the typed text is not there yet. */
  isSearching: boolean
  /** What is found, and what the server said about chosen things. */
  known: readonly Thing[]
  /** A chosen thing, wherever it stands in the list; undefined: it is gone, or not known yet. */
  thing(id: string): Thing | undefined
  /** Whether a chosen thing is gone, as far as the server has said. */
  isGone(id: string): boolean
  /** Neither the things nor the chosen ones are known yet. */
  isLoading: boolean
  failure: CallFailure | null
  /** Searches for a text. */
  onType(text: string): void
}

/**
 * Searches a list on the server, and asks for chosen things that are not among those found.
 *
 * @param chosen ids, or other texts that the server finds things by, such as slugs
 */
export function useChoices<Name extends OperationName, Thing>(
  { operation, input, things, idOf, nameOf }: SearchedList<Name, Thing>,
  chosen: readonly string[],
): Choices<Thing> {
  const [typed, setTyped] = useState('')
  const wanted = typed.trim()
  const q = useDeferredValue(wanted)
  const asked = useOperation(operation, input({ limit: OFFERED, ...(q === '' ? {} : { q }) }))
  const answered = asked.data === undefined ? [] : things(asked.data)
  const isThere = asked.data !== undefined
  const isOlder = asked.isFormer || q !== wanted
  const found = isOlder ? answered.filter((one) => isFoundBy(wanted, idOf(one), nameOf(one))) : answered
  const missing = isThere ? chosen.filter((id) => id !== '' && !answered.some((one) => idOf(one) === id)) : []
  const others = useOperations(
    operation,
    missing.map((id) => input({ q: id, limit: OFFERED })),
  )
  const known = [...answered, ...others.flatMap(({ data }) => (data === undefined ? [] : things(data)))]
  const thing = (id: string) => known.find((one) => idOf(one) === id)
  return {
    found,
    isSearching: asked.failure === null && (isOlder || !isThere),
    known,
    thing,
    isGone: (id) => others[missing.indexOf(id)]?.data !== undefined && thing(id) === undefined,
    isLoading: !isThere || others.some(({ isLoading }) => isLoading),
    failure: asked.failure ?? others.find(({ failure }) => failure !== null)?.failure ?? null,
    onType: setTyped,
  }
}
