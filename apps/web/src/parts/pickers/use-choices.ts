import { useDeferredValue, useState } from 'react'
import type { CallFailure } from '../../infrastructure/client/call-failure.ts'
import type { OperationName } from '../../infrastructure/client/operation-types.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useOperations } from '../../infrastructure/queries/use-operations.ts'
import { isFoundBy } from './is-found-by.ts'
import type { SearchedList } from './searched-lists.ts'

/** The number of resources that a picker offers at once; typing finds the others. */
const OFFERED = 50

/** A picker's view of a list. */
export interface Choices<Thing> {
  /**
   * The matches of the typed text, at most 50. Until the server has responded, the matching ones of its previous response, so that
   * a key never selects an option that the text excludes.
   */
  found: readonly Thing[]
  /** The response for the typed text is pending. */
  isSearching: boolean
  /** The results, and the server's data of selected resources. */
  known: readonly Thing[]
  /** A selected resource, wherever it is in the list; undefined: deleted, or not loaded yet. */
  thing(id: string): Thing | undefined
  /** Whether a selected resource is deleted, as far as the server has reported. */
  isGone(id: string): boolean
  /** Neither the options nor the selected resources are loaded yet. */
  isLoading: boolean
  failure: CallFailure | null
  /** Searches for a text. */
  onType(text: string): void
}

/**
 * Searches a list on the server, and fetches selected resources that are not among the results.
 *
 * @param chosen ids, or other texts that the server finds resources by, such as slugs
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
