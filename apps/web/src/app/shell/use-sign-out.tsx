import { type ReactNode, Suspense, useState } from 'react'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { countUnsentDrafts } from '../../infrastructure/drafts/unsent-drafts.ts'
import { usePlace } from '../../infrastructure/session/session.ts'
import { signOutOfPage } from '../../infrastructure/session/use-sign-in.ts'

const SignOutQuestion = lazyPart(async () => (await import('./sign-out-question.tsx')).SignOutQuestion)

/** Signs out, and asks before edits that were never sent are forgotten with everything else on this device. */
export function useSignOut(): { signOut(): void; question: ReactNode } {
  const { userId } = usePlace().session.person
  const [unsent, setUnsent] = useState(0)
  const signOut = async () => {
    const count = await countUnsentDrafts(userId)
    if (count > 0) setUnsent(count)
    else await signOutOfPage()
  }
  return {
    signOut: () => void signOut(),
    question: unsent > 0 && (
      <Suspense>
        <SignOutQuestion unsent={unsent} onClose={() => setUnsent(0)} />
      </Suspense>
    ),
  }
}
