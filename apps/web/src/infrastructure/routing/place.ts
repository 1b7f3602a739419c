import { useParams, useRouter, useRouterState } from '@tanstack/react-router'
import { useCallback } from 'react'
import { type Params, readParams, type ValuesOf, writeParams } from '../../core/url/search-params.ts'
import { visitOf } from './visits.ts'

/** A segment of the page's path: `usePathParam('agentId')` below `/agents/$agentId`. Throws if there is none. */
export function usePathParam(name: string): string {
  const params: Readonly<Record<string, unknown>> = useParams({ strict: false })
  const value = params[name]
  if (typeof value !== 'string') throw new Error(`the path of this page has no ${name}`)
  return value
}

/** The path of the page that is open, without search parameters. */
export function usePathname(): string {
  return useRouterState({ select: ({ location }) => location.pathname })
}

/**
 * Reads the search parameters at a later moment, for parts that outlive the page, such as a notice. null: the page that
 * this was rendered on is no longer open.
 */
export function useParamsLater<P extends Params>(params: P): () => ValuesOf<P> | null {
  const router = useRouter()
  const here = usePathname()
  return () => {
    const { pathname, searchStr } = router.latestLocation
    return pathname === here ? readParams(params, new URLSearchParams(searchStr)) : null
  }
}

/** The URL of the open page with other parameters, for parts that open on the page itself. */
export function useHrefWith<P extends Params>(params: P): (change: Partial<ValuesOf<P>>) => string {
  const pathname = usePathname()
  const search = useRouterState({ select: ({ location }) => location.searchStr })
  return useCallback(
    (change) => {
      const next = writeParams(params, new URLSearchParams(search), change)
      return next.size === 0 ? pathname : `${pathname}?${next}`
    },
    [params, pathname, search],
  )
}

/** Navigates within the builder. */
export function useGoTo(): (href: string, options?: { replace?: boolean }) => void {
  const { history } = useRouter()
  return useCallback(
    (href, { replace = false } = {}) => {
      if (replace) history.replace(href)
      else history.push(href)
    },
    [history],
  )
}

/** Opens a resource created in a dialog: Back returns to the list, not to its dialog. */
export function useGoToMade(): (href: string) => void {
  const goTo = useGoTo()
  return (href) => goTo(href, { replace: true })
}

/**
 * The page's search parameters and how to change them. A change keeps other parameters, and replaces the history entry
 * unless `push` is set: a filter is not a step back, an opened resource is.
 */
export function useSearchParams<P extends Params>(
  params: P,
): [ValuesOf<P>, (change: Partial<ValuesOf<P>>, options?: { push?: boolean }) => void] {
  const router = useRouter()
  const search = useRouterState({ select: ({ location }) => location.searchStr })
  const change = (values: Partial<ValuesOf<P>>, { push = false }: { push?: boolean } = {}) => {
    const { pathname, searchStr, hash, state } = router.latestLocation
    const next = writeParams(params, new URLSearchParams(searchStr), values)
    const href = `${pathname}${next.size === 0 ? '' : `?${next}`}${hash ? `#${hash}` : ''}`
    const ofVisit = { visit: visitOf(state) }
    if (push) router.history.push(href, ofVisit)
    else router.history.replace(href, ofVisit)
  }
  return [readParams(params, new URLSearchParams(search)), change]
}
