import { Navigate, Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { AppFrame } from '../../atoms/layout/frame.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { projectIn } from '../../core/url/project-param.ts'
import { inRenamedOrganization } from '../../core/url/renamed-organization.ts'
import { WaitingPalette } from '../../features/palette/waiting-palette.tsx'
import {
  ChangeFeedContext,
  useChangeFeed,
  useConfigurationRefresh,
  useRefreshOn,
} from '../../infrastructure/events/use-changes.ts'
import { lastOrganization } from '../../infrastructure/preferences/preferences.ts'
import { useKnownManagers } from '../../infrastructure/queries/known-managers.ts'
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
import { AccountMenu } from './account-menu.tsx'
import { footItems, useNavigation } from './navigation.tsx'
import { OrganizationSwitch } from './organization-switch.tsx'
import { SearchButton, SearchIcon } from './search-button.tsx'
import { useKnownProject } from './use-known-project.ts'
import { useShellKeys } from './use-shell-keys.ts'

// Few users see them.
const NoMembershipPage = lazyPart(
  async () => (await import('../states/no-membership-page.tsx')).NoMembershipPage,
)
const LeftPage = lazyPart(async () => (await import('../states/left-page.tsx')).LeftPage)
const RefusedPage = lazyPart(async () => (await import('../states/refused-page.tsx')).RefusedPage)
const Palette = lazyPart(async () => (await import('../../features/palette/palette.tsx')).Palette)
const KeysDialog = lazyPart(async () => (await import('./keys-dialog.tsx')).KeysDialog)

/**
 * The user's membership in the organization of the URL; null: none. When somebody changes the slug of the organization, the page
 * keeps its state and continues at the new URL.
 */
function useMembership(slug: string): { membership: OwnMembership | null; former: OwnMembership | null } {
  const { organizations } = useSignedIn()
  const router = useRouter()
  const last = useRef<{ slug: string; membership: OwnMembership } | null>(null)
  const former = last.current?.slug === slug ? last.current.membership : null
  const named = organizations.find((one) => one.slug === slug || one.organizationId === slug)
  const membership =
    named ?? organizations.find((one) => one.organizationId === former?.organizationId) ?? null
  const newSlug = named || !membership ? null : membership.slug
  useEffect(() => {
    if (!membership) return
    lastOrganization.set(membership.slug)
    last.current = { slug, membership }
  }, [membership, slug])
  useEffect(() => {
    if (newSlug === null) return
    // The location is ahead of the displayed path: the redirect may be done already, or another organization may
    // have been opened.
    const renamed = inRenamedOrganization(router.latestLocation.href, slug, newSlug)
    if (renamed !== null) router.history.replace(renamed, undefined, { ignoreBlocker: true })
  }, [newSlug, slug, router])
  return { membership, former }
}

/**
 * Whether the first page has loaded since the shell is shown, which waits for no page. The changes that a page follows are then known,
 * too: another set of them is another connection.
 */
function useHasPage(): boolean {
  const isIdle = useRouterState({ select: ({ status }) => status === 'idle' })
  const [hasPage, setHasPage] = useState(false)
  useEffect(() => {
    if (isIdle) setHasPage(true)
  }, [isIdle])
  return hasPage
}

/** Navigation, palette and keys around every page of an organization. */
export function OrganizationShell() {
  const session = useSignedIn()
  const slug = usePathParam('organization')
  const { membership, former } = useMembership(slug)
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  // Only the project: a filter of the page must not re-render the shell.
  const projectId = useRouterState({
    select: ({ location }) => projectIn(location.searchStr),
  })
  const place = useMemo(
    () => membership && placeOf(session, membership, projectId),
    [session, membership, projectId],
  )
  const managersOf = useKnownManagers()
  const hasPage = useHasPage()
  const feed = useChangeFeed(hasPage && place?.may('read') ? place.membership.organizationId : null)
  if (!place) {
    if (former === null) {
      return (
        <Suspense>
          <NoMembershipPage />
        </Suspense>
      )
    }
    return (
      <Suspense>
        <LeftPage organization={former.name} managers={managersOf(former.organizationId)} />
      </Suspense>
    )
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

/** The page, unless the user's role only reaches the inbox and the account. */
function AllowedPage({ pathname }: { pathname: string }) {
  const { paths, may } = usePlace()
  // The outlet shows the previous page until the new one has loaded: for a reviewer, the previous one may be
  // refused.
  const resolved = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname ?? '' })
  const shown = pageIn(resolved)
  useFoundFocus(resolved)
  const page = pageIn(pathname)
  if (may('read')) return <Outlet />
  if (OF_EVERY_ROLE.has(page)) return OF_EVERY_ROLE.has(shown) ? <Outlet /> : null
  if (page === '') return <Navigate to={paths.reviews} replace />
  return (
    <Suspense>
      <RefusedPage />
    </Suspense>
  )
}

/** The page in a path such as `/o/{organization}/{page}`; empty for Home. */
const pageIn = (pathname: string) => pathname.split('/')[3] ?? ''

/** Pages that reviewers can open too. */
const OF_EVERY_ROLE: ReadonlySet<string> = new Set(['reviews', 'account'])

function ShellFrame({ pathname }: { pathname: string }) {
  const { membership } = usePlace()
  useKnownProject()
  useConfigurationRefresh()
  useRefreshOn(['reviews'], ['listReviews', 'listApprovals', 'getReview', 'getApproval', 'getHome'])
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null)
  const showPalette = () => setOpen('palette')
  const showKeys = () => setOpen('keys')
  useShellKeys({ showPalette, showKeys })
  const groups = useNavigation(pathname)
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
        groups={groups}
        footItems={footItems(groups)}
        foot={<AccountMenu onKeys={showKeys} />}
        barTitle={<OrganizationSwitch />}
        barEnd={<SearchIcon onPress={showPalette} />}
      >
        <AllowedPage key={membership.organizationId} pathname={pathname} />
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
