import { AsyncLocalStorage } from 'node:async_hooks'
import { checkedId, propertyOf, type RequestHeaders, SignInRowId, UserId } from '@troupe/contract'
import { countedAddress, type ProxySettings, type RateLimiter } from '@troupe/rate-limits'
import type { Passwords } from '@troupe/secrets'
import { signInPath } from '@troupe/server-html/paths/next-path'
import type { Database } from '@troupe/storage'
import { AttemptsAtOnce } from './attempts-at-once.ts'
import { limitGuesses } from './guess-limits.ts'
import type { People } from './people.ts'
import { createOriginCheck, type PageAddress } from './same-origin.ts'
import { hasSessionCookie, sessionCookieFor } from './session-cookie.ts'
import { CALLER_ADDRESS, loadSignInLibrary, type SignInLibrary, type SignInParts } from './sign-in-library.ts'
import type { Caller, SignIns } from './sign-ins.ts'

/** Dependencies of sign-in. */
export interface PeopleParts
  extends Pick<SignInParts, 'passwords' | 'secret' | 'newId' | 'log'>,
    PageAddress {
  database: Pick<Database, 'signIn' | 'read' | 'transaction' | 'firstSignIn'>
  rateLimiter: Pick<RateLimiter, 'hit' | 'peek' | 'takeBack'>
  /** How callers behind a possible proxy are distinguished. */
  proxies: ProxySettings
}

/** The password hash that the library compared successfully during a sign-in. */
const comparedHash = new AsyncLocalStorage<{ hash: string | null }>()

/** Accounts over `better-auth`. Sessions are rows, so ending one takes effect in every process. */
export function createPeople(parts: PeopleParts): { people: People; signIns: SignIns } {
  const { database, passwords, rateLimiter, publicUrl } = parts
  const cookie = sessionCookieFor(publicUrl)
  const attempts = new AttemptsAtOnce()
  /** Within the limits of failures and of concurrent attempts. */
  const limited = <T>(caller: Caller, account: string, attempt: () => Promise<T | null>) => {
    const address = countedAddress(caller, parts.proxies)
    return attempts.run({ ip: caller.ip, address }, () =>
      limitGuesses(rateLimiter, { ip: address, account }, attempt),
    )
  }
  let loading: Promise<SignInLibrary> | null = null
  const library = () => {
    const rows = database.signIn
    loading ??= loadSignInLibrary({ ...parts, rows, cookie, passwords: noting(passwords) }).catch(
      (error: unknown) => {
        loading = null
        throw error
      },
    )
    return loading
  }
  /** null without a valid session. */
  const sessionOf = async (headers: RequestHeaders) => {
    if (!hasSessionCookie(headers, cookie)) return null
    const { api } = await library()
    return api.getSession({ headers: cookieOnly(headers) })
  }

  /**
   * Starts a session; null when the password is wrong. Checking a password is slow, and a new one may be set in the meantime: its transaction
   * ends the existing sessions, and this one is ended here.
   */
  const startSession = async (caller: Caller, email: string, password: string) => {
    const { api } = await library()
    const compared: { hash: string | null } = { hash: null }
    const cookies = await comparedHash.run(compared, () =>
      unlessRefused(
        api.signInEmail({ body: { email, password }, headers: callerOnly(caller), returnHeaders: true }),
      ),
    )
    if (cookies === null) return null
    const user = await database.read.users.byEmail(email)
    if (user && (await database.read.users.passwordOf(user.id)) === compared.hash) {
      await database.firstSignIn.noteSignIn(user.id)
      return cookies
    }
    await api.signOut({ headers: cookieOnly({ cookie: cookies.map((one) => one.split(';')[0]).join('; ') }) })
    return null
  }

  return {
    people: {
      async signedIn(headers) {
        const session = await sessionOf(headers)
        if (!session) return null
        const { id, name, email } = session.user
        const userId = checkedId(UserId, id)
        return {
          userId,
          sessionId: checkedId(SignInRowId, session.session.id),
          name,
          email,
          memberships: await database.read.members.activeOf(userId),
        }
      },
      requireSameOrigin: createOriginCheck(parts),
      signInPath,
    },
    signIns: {
      signIn(caller, email, password) {
        return limited(caller, email, async () => {
          const { api } = await library()
          const cookies = await startSession(caller, email, password)
          // The old session ends only now: a wrong password must not sign the user out.
          if (cookies && hasSessionCookie(caller.headers, cookie)) {
            await api.signOut({ headers: cookieOnly(caller.headers) })
          }
          return cookies
        })
      },
      async start(caller, userId) {
        const { api } = await library()
        const { headers } = await api.startSession({
          body: { userId },
          headers: callerOnly(caller),
          returnHeaders: true,
        })
        await database.firstSignIn.noteSignIn(userId)
        return headers.getSetCookie()
      },
      async signOut({ headers }) {
        const { api } = await library()
        const answer = await api.signOut({ headers: cookieOnly(headers), returnHeaders: true })
        return answer.headers.getSetCookie()
      },
      async changePassword(caller, { current, next }) {
        const session = await sessionOf(caller.headers)
        if (!session) return null
        const { email } = session.user
        const userId: UserId = checkedId(UserId, session.user.id)
        return limited(caller, email, async () => {
          const stored = await database.read.users.passwordOf(userId)
          if (!(await passwords.matches(current, stored)) || stored === null) return null
          const passwordHash = await passwords.hash(next)
          // Only replaces the checked password: an earlier reset must win.
          const isChanged = await database.transaction(({ write }) =>
            write.users.setPassword(userId, passwordHash, stored),
          )
          return isChanged ? startSession(caller, email, next) : null
        })
      },
    },
  }
}

/** Passwords that record the hash of a successful comparison. */
function noting(passwords: Passwords): Passwords {
  return {
    ...passwords,
    async matches(password, passwordHash) {
      const isEqual = await passwords.matches(password, passwordHash)
      const compared = comparedHash.getStore()
      if (isEqual && compared) compared.hash = passwordHash
      return isEqual
    },
  }
}

/** Only the headers that the library needs: it would trust other headers of the caller, such as forwarded addresses. */
function cookieOnly({ cookie }: RequestHeaders): Headers {
  return new Headers(typeof cookie === 'string' ? { cookie } : {})
}

function callerOnly({ headers, ip }: Caller, base = new Headers()): Headers {
  const agent = headers['user-agent']
  if (typeof agent === 'string') base.set('user-agent', agent.slice(0, 512))
  base.set(CALLER_ADDRESS, ip)
  return base
}

/** The cookies of a response; null when the library rejected the request. */
async function unlessRefused(answer: Promise<{ headers: Headers }>): Promise<string[] | null> {
  try {
    return (await answer).headers.getSetCookie()
  } catch (error) {
    // Its error classes are in a lazily loaded module, so errors are recognized by their fields.
    const statusCode = propertyOf(error, 'statusCode')
    if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) return null
    throw error
  }
}
