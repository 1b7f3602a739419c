import type { IdText, UserId } from '@troupe/contract'
import { type ReactNode, Suspense, useState } from 'react'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { shellWords } from '../../core/messages/en/shell.ts'
import { countUnsentDrafts } from '../../infrastructure/drafts/unsent-drafts.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { signOutOfPage } from '../../infrastructure/sign-in/use-sign-in.ts'

const SignOutQuestion = lazyPart(async () => (await import('./sign-out-question.tsx')).SignOutQuestion)

async function leave(userId: IdText<UserId>): Promise<void> {
  const failure = await signOutOfPage(userId)
  if (failure) showNotice({ title: shellWords.stillSignedIn, detail: failure.message, tone: 'bad' })
}

/**
 * Signs out, and asks for confirmation before unsent edits are deleted with all other data on this device.
 */
export function useSignOut(): { signOut(): void; question: ReactNode } {
  const { person, organizations } = usePlace().session
  const { userId } = person
  const [unsent, setUnsent] = useState(0)
  const signOut = async () => {
    const count = await countUnsentDrafts(
      userId,
      organizations.map(({ organizationId }) => organizationId),
    )
    if (count > 0) setUnsent(count)
    else await leave(userId)
  }
  return {
    signOut: () => void signOut(),
    question: unsent > 0 && (
      <Suspense>
        <SignOutQuestion
          unsent={unsent}
          onSignOut={() => {
            setUnsent(0)
            void leave(userId)
          }}
          onClose={() => setUnsent(0)}
        />
      </Suspense>
    ),
  }
}
