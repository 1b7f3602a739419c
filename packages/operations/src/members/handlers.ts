import { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import type { Database } from '@troupe/storage'
import { type BuilderHandler, handler } from '../handlers/handler.ts'
import { changeMember } from './change-member.ts'
import { type InviteMemberParts, inviteMember } from './invite-member.ts'
import { listMembersAndInvitations, presentInvitation, presentMember } from './list-members.ts'
import { removeMember } from './remove-member.ts'
import { withdrawInvitation } from './withdraw-invitation.ts'

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
