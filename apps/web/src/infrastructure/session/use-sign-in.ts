import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { BuilderSession } from '@troupe/builder-contract'
import { asCallFailure, type CallFailure } from '../client/call-failure.ts'
import { callOperation } from '../client/call-operation.ts'
import { signedOut } from '../client/server-signals.ts'

const SESSION_KEY = ['getSession']

/** Who is signed in. `failure` has the code `unauthorized` when nobody is. */
export function useSession(): {
  session: BuilderSession | undefined
  failure: CallFailure | null
  retry(): void
} {
  const query = useQuery({
    queryKey: SESSION_KEY,
    queryFn: ({ signal }) => callOperation('getSession', null, {}, { signal }),
  })
  return {
    session: query.data,
    failure: query.error ? asCallFailure(query.error) : null,
    retry: () => void query.refetch(),
  }
}

/** Signs in inside the page. Another person than before gets a fresh page, so that nobody sees the former one's data. */
export function useSignIn(): {
  signIn(email: string, password: string): void
  failure: CallFailure | null
  isPending: boolean
} {
  const cache = useQueryClient()
  const mutation = useMutation({
    mutationFn: (body: { email: string; password: string }) => callOperation('signIn', null, { body }),
    onSuccess: async (session) => {
      const former = cache.getQueryData<BuilderSession>(SESSION_KEY)
      if (former && former.person.userId !== session.person.userId) {
        window.location.assign('/')
        return
      }
      cache.setQueryData(SESSION_KEY, session)
      signedOut.set(false)
      await cache.invalidateQueries()
    },
  })
  return {
    signIn: (email, password) => mutation.mutate({ email, password }),
    failure: mutation.error ? asCallFailure(mutation.error) : null,
    isPending: mutation.isPending,
  }
}

/** Ends the session and loads the page anew, which forgets everything that it knew. */
export async function signOutOfPage(): Promise<void> {
  await callOperation('signOut', null, {}).catch(() => undefined)
  window.location.assign('/')
}
