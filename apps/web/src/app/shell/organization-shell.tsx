import { Navigate, Outlet, useRouterState } from '@tanstack/react-router'
import { Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { AppFrame } from '../../atoms/layout/frame.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { projectIn } from '../../core/url/project-param.ts'
import { WaitingPalette } from '../../features/palette/waiting-palette.tsx'
import {
  ChangeFeedContext,
  useChangeFeed,
  useConfigurationRefresh,
  useRefreshOn,
} from '../../infrastructure/events/use-changes.ts'
import { lastOrganization } from '../../infrastructure/preferences/preferences.ts'
import { useKnownManagers } from '../../infrastructure/queries/known-managers.ts'
import { loadInstead } from '../../infrastructure/routing/load-anew.ts'
import { usePathParam } from '../../infrastructure/routing/place.ts'
import { useFoundFocus } from '../../infrastructure/routing/use-found-focus.ts'
import { OrganizationIdContext } from '../../infrastructure/sign-in/organization-id.ts'
import {
  type OwnMembership,
  PlaceContext,
  placeOf,
  usePlace,
  useSignedIn,
} from '../../infrastructure/sign-in/session.ts'
import { preloadPages } from '../pages/preload-pages.ts'
import { whenIdle } from '../pages/when-idle.ts'
import { GonePage } from '../states/gone-page.tsx'
import { LeftPage } from '../states/left-page.tsx'
import { RefusedPage } from '../states/refused-page.tsx'
import { AccountMenu } from './account-menu.tsx'
import { useNavigation } from './navigation.tsx'
import { OrganizationSwitch } from './organization-switch.tsx'
import { SearchButton, SearchIcon } from './search-button.tsx'
import { useKnownProject } from './use-known-project.ts'
import { useShellKeys } from './use-shell-keys.ts'

const Palette = lazyPart(async () => (await import('../../features/palette/palette.tsx')).Palette)
const KeysDialog = lazyPart(async () => (await import('./keys-dialog.tsx')).KeysDialog)

/** Goes on at the new address of an organization, which somebody has just changed. */
function RenamedPage({ from, to }: { from: string; to: string }) {
  useEffect(() => {
    const { pathname, search } = window.location
    loadInstead(pathname.replace(`/o/${from}`, `/o/${to}`) + search)
  }, [from, to])
  return null
}

/** Navigation, palette and keys around every page of an organization. */
export function OrganizationShell() {
  const session = useSignedIn()
  const slug = usePathParam('organization')
  const membership = session.organizations.find((one) => one.slug === slug || one.organizationId === slug)
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  // Only the project: a filter of the page must not draw the shell again.
  const projectId = useRouterState({
    select: ({ location }) => projectIn(location.searchStr),
  })
  const place = useMemo(
    () => membership && placeOf(session, membership, projectId),
    [session, membership, projectId],
  )
  const former = useRef<OwnMembership | null>(null)
  useEffect(() => {
    if (!membership) return
    lastOrganization.set(membership.slug)
    former.current = membership
  }, [membership])
  const managersOf = useKnownManagers()
  const feed = useChangeFeed(place?.may('read') ? place.membership.organizationId : null)
  if (!place) {
    const left = former.current
    if (left === null || ![left.slug, left.organizationId].includes(slug)) return <GonePage />
    const renamed = session.organizations.find((one) => one.organizationId === left.organizationId)
    if (renamed) return <RenamedPage from={slug} to={renamed.slug} />
    return <LeftPage organization={left.name} managers={managersOf(left.organizationId)} />
  }
  return (
    <PlaceContext value={place}>
      <OrganizationIdContext value={place.membership.organizationId}>
        <ChangeFeedContext value={feed}>
          <ShellFrame pathname={pathname} />
        </ChangeFeedContext>
      </OrganizationIdContext>
    </PlaceContext>
  )
}

/** The page, unless the role of the person reaches nothing but the inbox. */
function AllowedPage({ pathname }: { pathname: string }) {
  const { paths, may } = usePlace()
  // The outlet shows the page before until the new one has loaded: for a reviewer, that may be one that is refused.
  const resolved = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname ?? '' })
  const shown = pageIn(resolved)
  useFoundFocus(resolved)
  const page = pageIn(pathname)
  if (may('read')) return <Outlet />
  if (page === REVIEWS) return shown === REVIEWS ? <Outlet /> : null
  return page === '' ? <Navigate to={paths.reviews} replace /> : <RefusedPage />
}

/** The page in a path such as `/o/{organization}/{page}`; empty for Home. */
const pageIn = (pathname: string) => pathname.split('/')[3] ?? ''

const REVIEWS = 'reviews'

function ShellFrame({ pathname }: { pathname: string }) {
  useKnownProject()
  useConfigurationRefresh()
  useRefreshOn(['reviews'], ['listReviews', 'listApprovals', 'getReview', 'getApproval', 'getHome'])
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null)
  const showPalette = () => setOpen('palette')
  const showKeys = () => setOpen('keys')
  useShellKeys({ showPalette, showKeys })
  useEffect(preloadPages, [])
  const [isIdle, setIdle] = useState(false)
  useEffect(() => whenIdle(() => setIdle(true)), [])
  return (
    <>
      <AppFrame
        head={
          <>
            <OrganizationSwitch />
            <SearchButton onPress={showPalette} />
          </>
        }
        groups={useNavigation(pathname)}
        foot={<AccountMenu onKeys={showKeys} />}
        barTitle={<OrganizationSwitch />}
        barEnd={<SearchIcon onPress={showPalette} />}
      >
        <AllowedPage pathname={pathname} />
      </AppFrame>
      <Suspense fallback={open === 'palette' && <WaitingPalette onClose={() => setOpen(null)} />}>
        {(isIdle || open === 'palette') && (
          <Palette isOpen={open === 'palette'} onClose={() => setOpen(null)} onKeys={showKeys} />
        )}
      </Suspense>
      <Suspense>{open === 'keys' && <KeysDialog onClose={() => setOpen(null)} />}</Suspense>
    </>
  )
}
