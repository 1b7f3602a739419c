import type { MemberRole } from '@troupe/contract'
import { ownOrigin, type SeededPerson, seedPerson, signIn } from '@troupe/test-kit/seed-person'
import type { TestAnswer, TestServer } from '@troupe/test-kit/server'

/** Sends requests to the builder's API of one organization, as one caller. */
export interface BuilderClient {
  /** Sends requests such as `GET /projects`. */
  send(target: string, body?: object, headers?: Record<string, string>): Promise<TestAnswer>
}

/** The operator, by the admin token. */
export function asOperator(server: TestServer): BuilderClient {
  return clientOf(server, { authorization: `Bearer ${server.adminToken}` })
}

/** A new member with this role, signed in. */
export async function asMember(
  server: TestServer,
  role: MemberRole,
  name = `The ${role}`,
  organizationId = server.seed.organizationId,
): Promise<BuilderClient & { person: SeededPerson; cookie: string }> {
  const person = await seedPerson(server.context.database, { organizationId, role, name })
  const cookie = await signIn(server, person)
  return { ...clientOf(server, { cookie, origin: ownOrigin(server) }, organizationId), person, cookie }
}

function clientOf(
  server: TestServer,
  own: Record<string, string>,
  organizationId = server.seed.organizationId,
): BuilderClient {
  return {
    send(target, body, headers = {}) {
      const [method, path] = target.split(' ')
      const url = `/api/builder/v1/organizations/${organizationId}${path}`
      return server.call(`${method} ${url}`, {
        key: null,
        headers: { ...own, ...headers },
        ...(body === undefined ? {} : { body }),
      })
    },
  }
}
