import type { StartLinkId, UserId } from '@troupe/contract'
import { boolean, uuid } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'

const NOBODY = statement(
  'has_nobody_signed_in',
  () => 'select not exists (select from users where signed_in_at is not null) as nobody',
).returning({ nobody: boolean() })

const NOTE = statement<'userId'>(
  'note_first_sign_in',
  (p) => `update users set signed_in_at = now() where id = ${p.userId}::uuid and signed_in_at is null`,
)

const PUT_LINK = statement<'id' | 'tokenHash' | 'expiresAt'>(
  'put_start_link',
  (p) => `
with earlier as (delete from verifications where value = 'start')
insert into verifications (id, identifier, value, expires_at)
values (${p.id}::uuid, ${p.tokenHash}::text, 'start', ${p.expiresAt}::timestamptz)`,
)

const isOpen = (
  tokenHash: string,
) => `value = 'start' and identifier = ${tokenHash}::text and expires_at > now()
  and not exists (select from users where signed_in_at is not null)`

const HAS_LINK = statement<'tokenHash'>(
  'has_start_link',
  (p) => `select exists (select from verifications where ${isOpen(p.tokenHash)}) as found`,
).returning({ found: boolean() })

const TAKE_LINK = statement<'tokenHash'>(
  'take_start_link',
  (p) => `delete from verifications where ${isOpen(p.tokenHash)} returning id`,
).returning({ id: uuid<StartLinkId>() })

/** The link for the first sign-in to a new deployment, and whether anybody has signed in. */
export function firstSignInRows(client: SqlClient) {
  return {
    /** Whether nobody has ever signed in to this deployment. */
    async hasNobodySignedIn(): Promise<boolean> {
      const [row] = await client.query(...NOBODY({}))
      return row?.nobody ?? false
    },
    /** Records that a person has signed in; later sign-ins change nothing. */
    async noteSignIn(userId: UserId): Promise<void> {
      await client.query(...NOTE({ userId }))
    },
    /** Stores a link; an earlier one becomes invalid. `tokenHash`: SHA-256, hex. */
    async putLink(link: { id: string; tokenHash: string; expiresAt: Date }): Promise<void> {
      await client.query(...PUT_LINK({ ...link, expiresAt: link.expiresAt.toISOString() }))
    },
    /** Whether the link is valid: not used, not expired, and nobody has signed in. */
    async hasLink(tokenHash: string): Promise<boolean> {
      const [row] = await client.query(...HAS_LINK({ tokenHash }))
      return row?.found ?? false
    },
    /** Uses the link up. Of two concurrent uses one gets true. */
    async takeLink(tokenHash: string): Promise<boolean> {
      return (await client.query(...TAKE_LINK({ tokenHash }))).length === 1
    },
  }
}

/** Stores the first sign-in to a deployment. */
export type FirstSignInRows = ReturnType<typeof firstSignInRows>
