import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import type { IdText, UserId } from '@troupe/contract'
import type { BuilderSession } from '@troupe/contract/builder'
import { useEffect, useRef, useState } from 'react'
import { asCallFailure, type CallFailure } from '../client/call-failure.ts'
import { callOperation } from '../client/call-operation.ts'
import { noteOtherPerson, refusals, signedOut } from '../client/server-signals.ts'
import { useValue } from '../preferences/use-value.ts'
import { forgetPerson, stopKeeping } from '../storage/browser-database.ts'
import { tellSignOut } from './sign-out-news.ts'

const SESSION_KEY = ['getSession']

/** The signed-in user. `failure` has the code `unauthorized` if nobody is. */
export function useSession(): {
  session: BuilderSession | undefined
  failure: CallFailure | null
  isFetching: boolean
  retry(): void
} {
  const cache = useQueryClient()
  const isSignedOut = useValue(signedOut)
  const query = useQuery({
    queryKey: SESSION_KEY,
    queryFn: async ({ signal }) => {
      const session = await callOperation('getSession', null, {}, { signal })
      if (isAnotherPerson(cache, session)) return freshPage()
      if (signedOut.get()) goOn(cache)
      return session
    },
    // Another tab may have signed in again, which applies to all of them.
    refetchOnWindowFocus: isSignedOut ? 'always' : true,
  })
  const error = useLastError(query.error, query.data)
  useEffect(() => refusals.subscribe(() => void cache.invalidateQueries({ queryKey: SESSION_KEY })), [cache])
  return {
    session: query.data,
    failure: error ? asCallFailure(error) : null,
    isFetching: query.isFetching,
    retry: () => void query.refetch(),
  }
}

/**
 * The error of a query without data, kept during its refetch. The query itself clears the error, and the sign-in form
 * would be remounted without its input and the reason of the refusal.
 */
function useLastError(error: Error | null, data: unknown): Error | null {
  const [last, setLast] = useState(error)
  const known = error ?? (data === undefined ? last : null)
  if (known !== last) setLast(known)
  return known
}

/** Whether the cache belongs to another user: another tab, or the dialog of this page, has signed in somebody else. */
function isAnotherPerson(cache: QueryClient, { person }: BuilderSession): boolean {
  const former = cache.getQueryData<BuilderSession>(SESSION_KEY)
  return former !== undefined && former.person.userId !== person.userId
}

/** The page continues after a sign-in: refused requests are repeated. */
function goOn(cache: QueryClient): void {
  signedOut.set(false)
  void cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] })
}

/** Reloads the page, which drops the previous user's data. Never resolves, so that nothing continues before. */
function freshPage(): Promise<never> {
  noteOtherPerson()
  window.location.assign('/')
  return new Promise(() => undefined)
}

/**
 * Signs in within the page. Another user than before gets a fresh page, so that nobody sees the previous one's data. Only the form
 * holds the password.
 */
export function useSignIn(): {
  signIn(email: string, password: string): void
  failure: CallFailure | null
  isPending: boolean
} {
  const cache = useQueryClient()
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const [isPending, setPending] = useState(false)
  const isUnderWay = useRef(false)
  const signIn = async (email: string, password: string) => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    setFailure(null)
    setPending(true)
    try {
      const session = await callOperation('signIn', null, { body: { email, password } })
      if (isAnotherPerson(cache, session)) await freshPage()
      cache.setQueryData(SESSION_KEY, session)
      goOn(cache)
    } catch (error) {
      setFailure(asCallFailure(error))
    } finally {
      isUnderWay.current = false
      setPending(false)
    }
  }
  return { signIn: (email, password) => void signIn(email, password), failure, isPending }
}

/**
 * Ends the session, deletes the user's data in this browser, and reloads every tab. Only the server can end a session: if it could
 * not, nothing is deleted, and its failure is returned.
 */
export async function signOutOfPage(userId: IdText<UserId>): Promise<CallFailure | null> {
  try {
    await callOperation('signOut', null, {})
  } catch (error) {
    const failure = asCallFailure(error)
    const hadEnded = failure.code === 'unauthorized'
    if (!hadEnded) return failure
  }
  stopKeeping()
  tellSignOut()
  await forgetPerson(userId).catch(() => undefined)
  window.location.assign('/')
  return null
}
