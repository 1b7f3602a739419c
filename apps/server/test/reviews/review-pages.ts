import type { MemberRole, OrganizationId, UserId } from '@troupe/contract'
import { seedPerson, signIn } from '@troupe/test-kit/seed-person'
import { startTestServer } from '@troupe/test-kit/server'
import { expect } from 'vitest'
import { ReviewSetting, reviewGraph, WAIT } from './review-setting.ts'

export const ORIGIN = 'http://localhost:3000'

export interface Person {
  userId: UserId
  cookie: string
}

/** Starts a server whose review links are mailed, with users who open and submit pages like browsers. */
export async function startReviewPages() {
  /** The mailed links, by review. */
  const links = new Map<string, string>()
  const server = await startTestServer({
    overrides: {
      mailer: {
        sends: true,
        async send({ id = '', text }) {
          links.set(id, /https?:\S+/.exec(text)?.[0].replace(ORIGIN, '') ?? '')
        },
      },
    },
  })
  const setting = new ReviewSetting(server)
  const person = async (
    name: string,
    role: MemberRole,
    organizationId: OrganizationId = server.seed.organizationId,
  ): Promise<Person> => {
    const seeded = await seedPerson(server.context.database, { organizationId, role, name })
    return { userId: seeded.userId, cookie: await signIn(server, seeded) }
  }
  return {
    server,
    setting,
    person,
    ana: await person('Ana', 'owner'),
    ben: await person('Ben', 'member'),

    get: (path: string, who: Person | null = null, method = 'GET') =>
      server.call(`${method} ${path}`, { key: null, headers: who ? { cookie: who.cookie } : {} }),

    post: (
      reviewId: string | undefined,
      fields: Record<string, string>,
      who: Person | null = null,
      headers: Record<string, string> = who ? { origin: ORIGIN } : {},
    ) =>
      server.call(`POST /reviews/${reviewId}`, {
        key: null,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          ...(who && { cookie: who.cookie }),
          ...headers,
        },
        body: new URLSearchParams(fields).toString(),
      }),

    /** A review with a mailed link. */
    async linked(config: object = {}, leadsOn?: string[]) {
      const graph = reviewGraph({ notify: { emails: ['ana@acme.test'] }, ...config }, leadsOn)
      const { executionId, reviews } = await setting.ask(graph)
      const reviewId = reviews[0]?.reviewId ?? ''
      await expect.poll(() => links.has(reviewId), WAIT).toBe(true)
      const path = links.get(reviewId) ?? ''
      return { executionId, reviewId, path, token: new URL(path, ORIGIN).searchParams.get('token') ?? '' }
    },

    statusOf: async (reviewId: string) =>
      ((await server.call(`GET /api/v1/reviews/${reviewId}`)).body as { status: string }).status,
  }
}

export type ReviewPages = Awaited<ReturnType<typeof startReviewPages>>
