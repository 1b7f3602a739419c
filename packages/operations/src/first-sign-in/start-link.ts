import { type NewId, StartLinkId, type UserId } from '@troupe/contract'
import type { Database } from '@troupe/storage'
import { hashLinkToken, mayBeLinkToken, mintLinkToken } from '../access/link-token.ts'

const LIFETIME_MS = 15 * 60_000
const PLAYGROUND = 'playground'

/** Dependencies of the link. */
export interface StartLinkParts {
  database: Pick<Database, 'read' | 'firstSignIn'>
  newId: NewId
  now: () => number
}

/**
 * The path of the first sign-in: a link that signs in as the owner of the Playground, once, within 15 minutes; `/setup`
 * if there is no Playground. The database stores only the hash of the token.
 *
 * @returns null once anybody has signed in
 */
export async function startPath({ database, newId, now }: StartLinkParts): Promise<string | null> {
  if (!(await database.firstSignIn.hasNobodySignedIn())) return null
  if ((await ownerOfPlayground(database)) === null) return '/setup'
  const token = mintLinkToken()
  await database.firstSignIn.putLink({
    id: newId(StartLinkId),
    tokenHash: hashLinkToken(token),
    expiresAt: new Date(now() + LIFETIME_MS),
  })
  return `/start/${token}`
}

/** Whether the link is valid. The check does not use it up. */
export async function isStartLink(
  { firstSignIn }: Pick<Database, 'firstSignIn'>,
  token: string,
): Promise<boolean> {
  return mayBeLinkToken(token) && (await firstSignIn.hasLink(hashLinkToken(token)))
}

/**
 * Uses the link up. Of two concurrent uses, one gets the person.
 *
 * @returns the owner of the Playground; null for an invalid link
 */
export async function useStartLink(
  database: Pick<Database, 'read' | 'firstSignIn'>,
  token: string,
): Promise<UserId | null> {
  if (!mayBeLinkToken(token)) return null
  const owner = await ownerOfPlayground(database)
  if (owner === null || !(await database.firstSignIn.takeLink(hashLinkToken(token)))) return null
  return owner
}

/** The first active owner of the Playground; null without a Playground. */
export async function ownerOfPlayground({ read }: Pick<Database, 'read'>): Promise<UserId | null> {
  const organization = await read.organizations.bySlug(PLAYGROUND)
  if (!organization) return null
  const members = await read.members.list(organization.id)
  return members.find(({ role, status }) => role === 'owner' && status === 'active')?.userId ?? null
}
