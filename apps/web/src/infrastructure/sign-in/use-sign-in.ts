import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import type { BuilderSession } from '@troupe/contract/builder'
import { useEffect, useRef, useState } from 'react'
import { asCallFailure, type CallFailure } from '../client/call-failure.ts'
import { callOperation } from '../client/call-operation.ts'
import { noteOtherPerson, refusals, signedOut } from '../client/server-signals.ts'
import { useValue } from '../preferences/use-value.ts'
import { forgetPerson, stopKeeping } from '../storage/browser-database.ts'
import { tellSignOut } from './sign-out-news.ts'

const SESSION_KEY = ['getSession']

/** Who is signed in. `failure` has the code `unauthorized` when nobody is. */
export function useSession(): {
  session: BuilderSession | undefined
  failure: CallFailure | null
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
    // Another tab may have signed in again, which is for all of them.
    refetchOnWindowFocus: isSignedOut ? 'always' : true,
  })
  const error = useLastError(query.error, query.data)
  useEffect(() => refusals.subscribe(() => void cache.invalidateQueries({ queryKey: SESSION_KEY })), [cache])
  return {
    session: query.data,
    failure: error ? asCallFailure(error) : null,
    retry: () => void query.refetch(),
  }
}

/**
 * The error of a query that has no data, also while the query is asked again: it forgets its error then, and the form to sign in would
 * be drawn anew, without what was typed and why it was refused.
 */
function useLastError(error: Error | null, data: unknown): Error | null {
  const [last, setLast] = useState(error)
  const known = error ?? (data === undefined ? last : null)
  if (known !== last) setLast(known)
  return known
}

/** Whether the cache belongs to somebody else: another tab, or the dialog of this page, has signed in another person. */
function isAnotherPerson(cache: QueryClient, { person }: BuilderSession): boolean {
  const former = cache.getQueryData<BuilderSession>(SESSION_KEY)
  return former !== undefined && former.person.userId !== person.userId
}

/** The page goes on after a sign-in: what was refused meanwhile is asked again. */
function goOn(cache: QueryClient): void {
  signedOut.set(false)
  void cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] })
}

/** Loads the page anew, which forgets the former person's data. Never resolves, so that nothing goes on before. */
function freshPage(): Promise<never> {
  noteOtherPerson()
  window.location.assign('/')
  return new Promise(() => undefined)
}

/**
 * Signs in inside the page. Another person than before gets a fresh page, so that nobody sees the former one's data. The
 * password is kept by the form only.
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
 * Ends the session, forgets what pages have kept for the person in this browser, and loads every tab anew. Only the server can
 * end a session: when it could not, nothing is forgotten, and its failure is returned.
 */
export async function signOutOfPage(userId: string): Promise<CallFailure | null> {
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
