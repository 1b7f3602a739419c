import { signIn } from '@troupe/test-kit/seed-person'
import { startTestServer } from '@troupe/test-kit/server'
import { expect, test } from 'vitest'
import { seedPlayground } from './seed-playground.ts'
import { playgroundWelcome } from './welcome.ts'

test('the owner signs in with the password that the first start prints', async () => {
  await using server = await startTestServer()
  const seeded = await seedPlayground(server.context, 'on')
  if (!seeded) throw new Error('the Playground was not seeded')
  const printed = playgroundWelcome('http://localhost:3000', seeded)
  const [, email = '', password = ''] =
    /as (\S+@playground\.test)\n +with (\S+) \(shown only now\)/.exec(printed) ?? []
  const cookie = await signIn(server, { email, password })
  const person = await server.context.people.signedIn({ cookie })
  const organization = await server.context.database.read.organizations.bySlug('playground')
  expect(person).toMatchObject({ email, memberships: [{ organizationId: organization?.id, role: 'owner' }] })
})
