import { BUILDER_OPERATIONS } from '@troupe/builder-contract'
import type { Database } from '@troupe/database'
import { changeMember } from '@troupe/operations/members/change-member'
import { type InviteMemberParts, inviteMember } from '@troupe/operations/members/invite-member'
import { removeMember } from '@troupe/operations/members/remove-member'
import { withdrawInvitation } from '@troupe/operations/members/withdraw-invitation'
import { type BuilderHandler, handler } from '../handling/handler.ts'
import { listMembersAndInvitations, presentInvitation, presentMember } from './list-members.ts'

/** Members and invitations. */
export function memberHandlers(
  parts: InviteMemberParts & { database: Pick<Database, 'read'> },
): BuilderHandler[] {
  const op = BUILDER_OPERATIONS
  const { database } = parts
  return [
    handler(op.listMembers, ({ caller }) => listMembersAndInvitations(database.read, caller)),
    handler(op.changeMember, async ({ caller: { organizationId, actor }, params, body }) =>
      presentMember(await changeMember(parts, organizationId, actor, params.userId, body), true),
    ),
    handler(op.removeMember, async ({ caller: { organizationId, actor }, params }) => {
      await removeMember(parts, organizationId, actor, params.userId)
      return null
    }),
    handler(op.inviteMember, async ({ caller: { organizationId, actor }, body }) => {
      const { invitation, link } = await inviteMember(parts, organizationId, actor, body)
      const createdAt = new Date(parts.now())
      return { invitation: presentInvitation({ ...invitation, createdAt }, true), link }
    }),
    handler(op.withdrawInvitation, async ({ caller: { organizationId, actor }, params }) => {
      await withdrawInvitation(parts, organizationId, actor, params.invitationId)
      return null
    }),
  ]
}
