import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router'
import { Suspense } from 'react'
import { PageOutline } from '../atoms/layout/frame.tsx'
import { lazyPart } from '../atoms/parts/lazy-part.ts'
import { newBuild } from '../infrastructure/client/server-signals.ts'
import { isOnlyInPage } from '../infrastructure/drafts/uncommitted-drafts.ts'
import { LateRestoration } from '../infrastructure/routing/late-restoration.ts'
import { loadAnew } from '../infrastructure/routing/load-anew.ts'
import { scrollKeyOf } from '../infrastructure/routing/visits.ts'
import { PAGE_ROUTES } from './pages/preload-pages.ts'
import { SessionGate } from './session-gate.tsx'
import { OrganizationShell } from './shell/organization-shell.tsx'
import { StartPage } from './start-page.tsx'
import { CrashedPage, CrashedWindow } from './states/crashed-page.tsx'

const GonePage = lazyPart(async () => (await import('./states/gone-page.tsx')).GonePage)
const notFoundComponent = () => (
  <Suspense>
    <GonePage />
  </Suspense>
)

/** How long the page before stays while the code of the next one loads; on the first visit, how long the window is empty. */
const PATIENCE_MS = 150

const root = createRootRoute({ component: SessionGate, notFoundComponent })

const start = createRoute({ getParentRoute: () => root, path: '/', component: StartPage })

const organization = createRoute({
  getParentRoute: () => root,
  path: '/o/$organization',
  component: OrganizationShell,
  notFoundComponent,
})

const pages = PAGE_ROUTES.map(({ path, component }) =>
  createRoute({
    getParentRoute: () => organization,
    path,
    component,
    errorComponent: CrashedPage,
    pendingComponent: PageOutline,
    pendingMs: PATIENCE_MS,
    pendingMinMs: 0,
    // Remounts the page for another resource, so that no dialog or response of the previous one remains. The shell does the same
    // for another organization, but not for a new slug of the same one.
    remountDeps: ({ params: { organization: _address, ...things } }) => things,
  }),
)

const settings = createRoute({
  getParentRoute: () => organization,
  path: 'settings',
  beforeLoad: ({ location }) => {
    throw redirect({ href: `${location.pathname.replace(/\/$/, '')}/organization`, replace: true })
  },
})

const restoration = new LateRestoration()

/** The router of the builder. Search parameters stay texts; the pages read them by `core/url`. */
export const router = createRouter({
  routeTree: root.addChildren([start, organization.addChildren([...pages, settings])]),
  defaultErrorComponent: CrashedWindow,
  scrollRestoration: restoration.restores,
  getScrollRestorationKey: scrollKeyOf,
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const text = String(
      new URLSearchParams(Object.entries(search).map(([name, value]) => [name, String(value)])),
    )
    return text === '' ? '' : `?${text}`
  },
})

restoration.follow(router)

// On navigation, a page of an older build is reloaded, unless it has state that exists nowhere else.
router.subscribe('onBeforeNavigate', ({ pathChanged, toLocation }) => {
  if (pathChanged && newBuild.get() && !isOnlyInPage.get()) loadAnew(toLocation.href)
})
