import { lazyRouteComponent } from '@tanstack/react-router'
import { loadCode } from '../../atoms/parts/load-code.ts'
import { PAGES } from './pages.ts'
import { whenIdle } from './when-idle.ts'

/** Every page with its component, whose code is loaded on demand or by a preload. */
export const PAGE_ROUTES = PAGES.map(({ path, load }) => ({
  path,
  component: lazyRouteComponent(async () => ({ default: await loadCode(load) })),
}))

/** Pages that most visits open. */
const NEAR = new Set(['/', 'agents', 'teams', 'workflows', 'runs', 'reviews'])

/**
 * Preloads the code of pages: likely ones while the browser is idle, any other one as soon as its link is hovered or focused.
 *
 * @returns stops it
 */
export function preloadPages(): () => void {
  const stopWaiting = whenIdle(() => {
    for (const { path, component } of PAGE_ROUTES) if (NEAR.has(path)) void component.preload?.()
  })
  const onPoint = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="/o/"]') : null
    if (link) void pageAt(link.pathname)?.component.preload?.()
  }
  document.addEventListener('pointerover', onPoint, { passive: true })
  document.addEventListener('focusin', onPoint)
  return () => {
    stopWaiting()
    document.removeEventListener('pointerover', onPoint)
    document.removeEventListener('focusin', onPoint)
  }
}

/** The page of a path such as `/o/acme/agents/ID`. */
function pageAt(pathname: string) {
  const segments = pathname.replace(/\/$/, '').split('/').slice(3)
  return PAGE_ROUTES.find(({ path }) => {
    const wanted = path.split('/').filter((segment) => segment !== '')
    return (
      wanted.length === segments.length &&
      wanted.every((segment, at) => segment.startsWith('$') || segment === segments[at])
    )
  })
}
