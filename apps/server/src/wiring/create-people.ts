import { asId, propertyOf, type RequestHeaders } from '@troupe/contract'
import type { Database } from '@troupe/database'
import type { RateLimiter } from '@troupe/rate-limits'
import { limitGuesses } from '../people/guess-limits.ts'
import { signInPath } from '../people/next-path.ts'
import type { People } from '../people/people.ts'
import { createOriginCheck } from '../people/same-origin.ts'
import { hasSessionCookie, sessionCookieFor } from '../people/session-cookie.ts'
import {
  CALLER_ADDRESS,
  loadSignInLibrary,
  type SignInLibrary,
  type SignInParts,
} from '../people/sign-in-library.ts'
import type { Caller, SignIns } from '../people/sign-ins.ts'

/** What the sign-in of people uses. */
export interface PeopleParts
  extends Pick<SignInParts, 'passwords' | 'secret' | 'publicUrl' | 'newId' | 'log'> {
  database: Pick<Database, 'signIn' | 'read'>
  rateLimiter: Pick<RateLimiter, 'hit' | 'peek' | 'takeBack'>
}

/** People over `better-auth`. Sessions are rows: what one process ends is over for all of them. */
export function createPeople(parts: PeopleParts): { people: People; signIns: SignIns } {
  const { database, rateLimiter, publicUrl } = parts
  const cookie = sessionCookieFor(publicUrl)
  let loading: Promise<SignInLibrary> | null = null
  const library = () => {
    loading ??= loadSignInLibrary({ ...parts, rows: database.signIn, cookie }).catch((error: unknown) => {
      loading = null
      throw error
    })
    return loading
  }
  /** null without a session in force. */
  const sessionOf = async (headers: RequestHeaders) => {
    if (!hasSessionCookie(headers, cookie)) return null
    const { api } = await library()
    return api.getSession({ headers: cookieOnly(headers) })
  }

  return {
    people: {
      async signedIn(headers) {
        const session = await sessionOf(headers)
        if (!session) return null
        const { id, name, email } = session.user
        const userId = asId(id)
        return { userId, name, email, memberships: await database.read.members.activeOf(userId) }
      },
      requireSameOrigin: createOriginCheck(publicUrl),
      signInPath,
    },
    signIns: {
      signIn(caller, email, password) {
        return limitGuesses(rateLimiter, { ip: caller.ip, account: email }, async () => {
          const { api } = await library()
          const cookies = await unlessRefused(
            api.signInEmail({ body: { email, password }, headers: callerOnly(caller), returnHeaders: true }),
          )
          // The old session ends only now: a wrong password must not sign anybody out.
          if (cookies && hasSessionCookie(caller.headers, cookie)) {
            await api.signOut({ headers: cookieOnly(caller.headers) })
          }
          return cookies
        })
      },
      async signOut({ headers }) {
        const { api } = await library()
        const answer = await api.signOut({ headers: cookieOnly(headers), returnHeaders: true })
        return answer.headers.getSetCookie()
      },
      async changePassword(caller, { current, next }) {
        const session = await sessionOf(caller.headers)
        if (!session) return null
        const { api } = await library()
        return limitGuesses(rateLimiter, { ip: caller.ip, account: session.user.email }, () =>
          unlessRefused(
            api.changePassword({
              body: { currentPassword: current, newPassword: next, revokeOtherSessions: true },
              headers: callerOnly(caller, cookieOnly(caller.headers)),
              returnHeaders: true,
            }),
          ),
        )
      },
    },
  }
}

/** Only what the library needs: it would believe other headers of the caller, such as forwarded addresses. */
function cookieOnly({ cookie }: RequestHeaders): Headers {
  return new Headers(typeof cookie === 'string' ? { cookie } : {})
}

function callerOnly({ headers, ip }: Caller, base = new Headers()): Headers {
  const agent = headers['user-agent']
  if (typeof agent === 'string') base.set('user-agent', agent.slice(0, 512))
  base.set(CALLER_ADDRESS, ip)
  return base
}

/** The cookies of an answer; null when the library said that something in the request is wrong. */
async function unlessRefused(answer: Promise<{ headers: Headers }>): Promise<string[] | null> {
  try {
    return (await answer).headers.getSetCookie()
  } catch (error) {
    // Its errors are classes of a module that is loaded late: told by what they carry.
    const statusCode = propertyOf(error, 'statusCode')
    if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) return null
    throw error
  }
}
