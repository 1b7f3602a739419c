import { isJsonObject, type NewId, propertyOf, SignInRowId } from '@troupe/contract'
import { LONGEST_PASSWORD, type Passwords, SHORTEST_PASSWORD } from '@troupe/secrets'
import type { Database, SignInCondition, SignInModel, SignInOperator, SignInRow } from '@troupe/storage'
import type { CleanedWhere } from 'better-auth/adapters'
import type { PeopleLog } from './people-log.ts'
import type { SessionCookie } from './session-cookie.ts'

/** Seconds from a sign-in to the end of its session; use does not prolong it. */
const SESSION_SECONDS = 7 * 86_400
/** The header in which the library finds the caller's address; never one sent by the caller. */
export const CALLER_ADDRESS = 'x-troupe-caller'

/** The schema of a body that only this server sends, in the library's format. */
const ANY_BODY = {
  '~standard': { version: 1, vendor: 'troupe', validate: (value: unknown) => ({ value }) },
} as const

/** Dependencies of the library. */
export interface SignInParts {
  rows: Database['signIn']
  passwords: Passwords
  cookie: SessionCookie
  /** Used to sign cookies. */
  secret: string
  publicUrl: string
  newId: NewId
  log: PeopleLog
}

/** `better-auth` for passwords and sessions only. Memberships and invitations are implemented here. */
export type SignInLibrary = Awaited<ReturnType<typeof loadSignInLibrary>>

/**
 * Loads and configures the library lazily: it takes 40 MB, which a server without accounts never needs. Its
 * own HTTP routes are not mounted, so there is no sign-up.
 */
export async function loadSignInLibrary(parts: SignInParts) {
  const { rows, passwords, cookie, secret, publicUrl, newId, log } = parts
  const [{ betterAuth }, { createAdapterFactory }, { createAuthEndpoint }, { setSessionCookie }] =
    await Promise.all([
      import('better-auth/minimal'),
      import('better-auth/adapters'),
      import('better-auth/api'),
      import('better-auth/cookies'),
    ])
  // Starts a session of a user who was authenticated by other means; no route leads to it.
  const startSession = createAuthEndpoint(
    '/start-session',
    { method: 'POST', body: ANY_BODY },
    async (ctx) => {
      const user = await ctx.context.internalAdapter.findUserById(String(propertyOf(ctx.body, 'userId')))
      if (!user) throw ctx.error('NOT_FOUND')
      const session = await ctx.context.internalAdapter.createSession(user.id)
      await setSessionCookie(ctx, { session, user })
      return ctx.json({ ok: true })
    },
  )
  return betterAuth({
    appName: 'Troupe',
    baseURL: publicUrl,
    secret,
    telemetry: { enabled: false },
    // Messages only: their arguments may contain addresses.
    logger: { level: 'error', log: (level, text) => log[level === 'error' ? 'error' : 'warn']({}, text) },
    database: createAdapterFactory({
      config: {
        adapterId: 'troupe',
        supportsNumericIds: false,
        supportsUUIDs: true,
        supportsDates: true,
        supportsBooleans: true,
      },
      adapter: () => adapterOver(rows),
    }),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: SHORTEST_PASSWORD,
      maxPasswordLength: LONGEST_PASSWORD,
      password: {
        hash: (password) => passwords.hash(password),
        verify: ({ hash, password }) => passwords.matches(password, hash),
      },
    },
    plugins: [{ id: 'start', endpoints: { startSession } }],
    session: { expiresIn: SESSION_SECONDS, disableSessionRefresh: true, cookieCache: { enabled: false } },
    advanced: {
      database: { generateId: () => newId(SignInRowId) },
      // The library's default prefix is the weaker `__Secure-`.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: cookie.secure, httpOnly: true, sameSite: 'lax', path: '/' },
      cookies: { session_token: { name: cookie.name } },
      ipAddress: { ipAddressHeaders: [CALLER_ADDRESS] },
    },
  })
}

/**
 * Adapts the library's queries to {@link Database.signIn}. The library never joins, because joins are not
 * enabled.
 */
function adapterOver(rows: Database['signIn']) {
  const conditions = (where: readonly CleanedWhere[] = []): SignInCondition[] =>
    where.map(({ field, operator, value, connector }) => ({
      field,
      operator: operator as SignInOperator,
      value,
      connector: connector ?? 'AND',
    }))
  return {
    create: async <T>({ model, data }: { model: string; data: T }) =>
      rowAs<T>(await rows.create(tableOf(model), columnsOf(data))),
    findOne: async <T>({ model, where }: { model: string; where: CleanedWhere[] }) => {
      const [row] = await rows.find(tableOf(model), conditions(where), { limit: 1 })
      return row ? rowAs<T>(row) : null
    },
    findMany: async <T>({ model, where, limit, offset, sortBy }: FindMany) => {
      const page = { limit, offset: offset ?? 0, sortBy }
      return (await rows.find(tableOf(model), conditions(where), page)).map((row) => rowAs<T>(row))
    },
    update: async <T>({ model, where, update }: { model: string; where: CleanedWhere[]; update: T }) => {
      const [row] = await rows.update(tableOf(model), conditions(where), columnsOf(update))
      return row ? rowAs<T>(row) : null
    },
    updateMany: async ({ model, where, update }: UpdateMany) =>
      (await rows.update(tableOf(model), conditions(where), update)).length,
    delete: async ({ model, where }: { model: string; where: CleanedWhere[] }) => {
      await rows.delete(tableOf(model), conditions(where))
    },
    deleteMany: async ({ model, where }: { model: string; where: CleanedWhere[] }) =>
      (await rows.delete(tableOf(model), conditions(where))).length,
    count: ({ model, where }: { model: string; where?: CleanedWhere[] | undefined }) =>
      rows.count(tableOf(model), conditions(where)),
  }
}

const MODELS: readonly SignInModel[] = ['user', 'account', 'session', 'verification']

/** @throws TypeError for a model that is not configured: the library has none */
function tableOf(model: string): SignInModel {
  const found = MODELS.find((one) => one === model)
  if (found === undefined) throw new TypeError(`no table of ${model}`)
  return found
}

/** The rows have the columns that the library selects. */
const rowAs = <T>(row: SignInRow) => row as T
const columnsOf = (data: unknown): SignInRow => (isJsonObject(data) ? data : {})

interface UpdateMany {
  model: string
  where: CleanedWhere[]
  update: SignInRow
}

interface FindMany {
  model: string
  where?: CleanedWhere[] | undefined
  limit: number
  offset?: number | undefined
  sortBy?: { field: string; direction: 'asc' | 'desc' } | undefined
}
