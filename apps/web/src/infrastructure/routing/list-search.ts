import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { listOf, searchOfList } from '../../core/url/list-of.ts'

/** The search parameters that each page was left with. */
const left = new Map<string, string>()

/** Remembers how lists were filtered. Call once, in the shell. */
export function useListSearches(): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ fromLocation }) => {
        if (fromLocation) left.set(fromLocation.pathname, fromLocation.searchStr)
      }),
    [router],
  )
}

/**
 * The list of the resource at a path, with its last search parameters in this project; null: not the page of a single
 * resource.
 */
export function listAsLeft(pathname: string, project: string | null): string | null {
  const list = listOf(pathname)
  return list === null ? null : `${list}${searchOfList(left.get(list) ?? '', project)}`
}
