import { ownOrigin } from '@troupe/test-kit/seed-person'
import type { TestServer } from '@troupe/test-kit/server'
import type { asMember, BuilderClient } from './builder-caller.ts'

type Member = Awaited<ReturnType<typeof asMember>>

/** Ways in which a member loses access while pages are open. */
export const LOSSES_OF_ACCESS: readonly [
  name: string,
  lose: (member: Member, by: { server: TestServer; owner: BuilderClient }) => PromiseLike<unknown>,
][] = [
  [
    'has signed out',
    ({ cookie }, { server }) =>
      server.app.inject({
        method: 'DELETE',
        url: '/api/builder/v1/session',
        headers: { cookie, origin: ownOrigin(server) },
      }),
  ],
  [
    'is suspended',
    ({ person }, { owner }) => owner.send(`PUT /members/${person.userId}`, { status: 'suspended' }),
  ],
  [
    'may no longer read',
    ({ person }, { owner }) => owner.send(`PUT /members/${person.userId}`, { role: 'reviewer' }),
  ],
]
