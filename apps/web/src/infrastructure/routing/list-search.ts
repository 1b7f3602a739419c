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

/** The list that the thing at a path belongs to, as it was last seen but in this project; null: the page is not that of one thing. */
export function listAsLeft(pathname: string, project: string | null): string | null {
  const list = listOf(pathname)
  return list === null ? null : `${list}${searchOfList(left.get(list) ?? '', project)}`
}
