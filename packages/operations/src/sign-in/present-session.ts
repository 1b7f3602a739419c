import type { MemberRole, OrganizationId, UserId } from '@troupe/contract'
import type { BuilderSession } from '@troupe/contract/builder'
import type { Readers } from '@troupe/storage'

/** A signed-in person with their active memberships. */
interface Person {
  readonly userId: UserId
  readonly name: string
  readonly email: string
  readonly memberships: readonly { readonly organizationId: OrganizationId; readonly role: MemberRole }[]
}

/** The session as the builder's pages see it; organizations by name. */
export async function presentSession(
  { organizations }: Pick<Readers, 'organizations'>,
  { userId, name, email, memberships }: Person,
  server: BuilderSession['server'],
): Promise<BuilderSession> {
  const found = await Promise.all(
    memberships.map(async ({ organizationId, role }) => {
      const organization = await organizations.byId(organizationId)
      return organization ? [{ organizationId, slug: organization.slug, name: organization.name, role }] : []
    }),
  )
  return {
    person: { userId, name, email },
    organizations: found.flat().toSorted((a, b) => a.name.localeCompare(b.name)),
    server,
  }
}
