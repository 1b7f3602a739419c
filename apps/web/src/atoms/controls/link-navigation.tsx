import { createContext, type ReactNode, useContext } from 'react'
import { RouterProvider } from 'react-aria-components'

export interface LinkNavigationProps {
  /** Navigates without loading the page. */
  goTo(href: string): void
  children: ReactNode
}

const NavigateContext = createContext((href: string) => window.location.assign(href))

/** Links to pages of the builder navigate without loading them; links to pages of the server load them. */
export function LinkNavigation({ goTo, children }: LinkNavigationProps) {
  const navigate = (href: string) => {
    if (isInside(href)) goTo(href)
    else window.location.assign(href)
  }
  return (
    <NavigateContext value={navigate}>
      <RouterProvider navigate={navigate}>{children}</RouterProvider>
    </NavigateContext>
  )
}

/** Navigates like a link, for atoms that are not links. */
export function useNavigateTo(): (href: string) => void {
  return useContext(NavigateContext)
}

function isInside(href: string): boolean {
  const { origin, pathname } = new URL(href, window.location.href)
  return origin === window.location.origin && (pathname === '/' || pathname.startsWith('/o/'))
}
