import { randomUUID } from 'node:crypto'
import type { NewId } from '@troupe/contract'
import type { Passwords } from '@troupe/secrets'
import type { Actor, Database } from '@troupe/storage'
import type { LimitCeilings } from '../limits/limit-ceilings.ts'
import { createOrganization } from '../organization/create-organization.ts'

/** The first organization and its owner, checked. */
export interface FirstOrganization {
  organization: string
  name: string
  email: string
  password: string
}

/** Dependencies of the operation. */
export interface SetUpParts {
  database: Pick<Database, 'read' | 'transaction'>
  passwords: Pick<Passwords, 'hash'>
  newId: NewId
  limitCeilings: LimitCeilings
}

const LONGEST_SLUG = 48

/** Creates the first organization with its owner; the audit log names the operator as the author. */
export async function setUp(
  parts: SetUpParts,
  from: Pick<Actor, 'ip' | 'requestId'>,
  { organization, name, email, password }: FirstOrganization,
): Promise<void> {
  const slug = slugOf(organization)
  const taken = await parts.database.read.organizations.bySlug(slug)
  await createOrganization(
    parts,
    { kind: 'operator', id: null, ...from },
    {
      slug: taken ? `${slug}-${randomUUID().slice(0, 8)}` : slug,
      name: organization,
      owner: { email, name, password },
    },
  )
}

/** The name as a slug; `main` for a name without letters permitted in slugs. */
function slugOf(name: string): string {
  const words =
    name
      .normalize('NFKD')
      .replaceAll(/\p{M}+/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  const slug = words.join('-').slice(0, LONGEST_SLUG)
  return slug.endsWith('-') ? slug.slice(0, -1) : slug || 'main'
}
