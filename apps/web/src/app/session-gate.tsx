import { Outlet, useRouterState } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { Button } from '../atoms/controls/button.tsx'
import { LetterKeys } from '../atoms/keys/letter-keys.ts'
import { FrameOutline, Strip } from '../atoms/layout/frame.tsx'
import { Notices } from '../atoms/overlays/notices.tsx'
import { lazyPart } from '../atoms/parts/lazy-part.ts'
import { LoadFailure } from '../atoms/states/panels.tsx'
import { SendingRefusal } from '../atoms/states/sending-refusal.ts'
import { shellWords } from '../core/messages/en/shell.ts'
import { isOnline } from '../infrastructure/client/online.ts'
import { newBuild, signedOut } from '../infrastructure/client/server-signals.ts'
import { isOnlyInPage } from '../infrastructure/drafts/uncommitted-drafts.ts'
import { lastOrganization, letterKeys } from '../infrastructure/preferences/preferences.ts'
import { useValue } from '../infrastructure/preferences/use-value.ts'
import { useCloseGuard } from '../infrastructure/routing/leave-guard.ts'
import { SignedInContext } from '../infrastructure/sign-in/session.ts'
import { useSession } from '../infrastructure/sign-in/use-sign-in.ts'
import { sweepKnown } from '../infrastructure/storage/known-answers.ts'
import { whenIdle } from './pages/when-idle.ts'

/**
 * Loaded after the first page, long before a session ends, so that it is available immediately and no newer build can have replaced
 * it.
 */
const loadSignIn = () => import('../features/sign-in/sign-in.tsx')
const SignInScreen = lazyPart(async () => (await loadSignIn()).SignInScreen)
const SignInAgain = lazyPart(async () => (await loadSignIn()).SignInAgain)

/** Loads the session, and provides it to every page. */
export function SessionGate() {
  const { session, failure, isFetching, retry } = useSession()
  const isSignedOut = useValue(signedOut)
  const isConnected = useValue(isOnline)
  const letters = useValue(letterKeys)
  const isPageAwaited = useRouterState({ select: ({ status }) => status === 'pending' })
  const hasNewBuild = useValue(newBuild)
  const keepsNothing = useValue(isOnlyInPage)
  useCloseGuard(keepsNothing)
  useEffect(() => {
    void loadSignIn().catch(() => undefined)
  }, [])
  const isNobody = !session && failure?.code === 'unauthorized'
  useEffect(() => {
    if (isNobody) return void sweepKnown(null, [])
    if (!session) return
    const { userId } = session.person
    const organizationIds = session.organizations.map(({ organizationId }) => organizationId)
    return whenIdle(() => void sweepKnown(userId, organizationIds))
  }, [isNobody, session])
  if (!session) {
    if (isNobody) {
      return (
        <Suspense>
          <SignInScreen />
        </Suspense>
      )
    }
    // The last visit in this browser opened an organization, so the user is most likely still signed in.
    if (!failure) return lastOrganization.get() === '' ? null : <FrameOutline />
    return (
      <main>
        <LoadFailure
          title={shellWords.unreachable}
          failure={failure}
          look="page"
          onRetry={retry}
          isRetrying={isFetching}
        />
      </main>
    )
  }
  return (
    <SignedInContext value={session}>
      <LetterKeys value={letters === 'on'}>
        <SendingRefusal value={isConnected ? null : shellWords.nothingIsSent}>
          {!isConnected && <Strip>{isPageAwaited ? shellWords.offlineBeforePage : shellWords.offline}</Strip>}
          {keepsNothing && <Strip>{shellWords.keepsNothing}</Strip>}
          {isConnected && hasNewBuild && (
            <Strip tone="info">
              {shellWords.newVersion}
              <Button size="small" onPress={() => window.location.reload()}>
                {shellWords.reload}
              </Button>
            </Strip>
          )}
          <Outlet />
          <Notices />
          {isSignedOut && (
            <Suspense>
              <SignInAgain name={session.person.name} email={session.person.email} />
            </Suspense>
          )}
        </SendingRefusal>
      </LetterKeys>
    </SignedInContext>
  )
}
