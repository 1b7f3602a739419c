import { Type } from 'typebox'
import { ChangeMemberBody, InviteMemberBody } from '../../members/member.ts'
import { defineOperation } from '../../operation/operation.ts'
import { Nullable } from '../../schema/nullable.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'
import { Invitation, Member } from './member.ts'

const MEMBER = `${ORGANIZATION_PATH}/members/{userId}` as const
const memberParams = Type.Object({ ...organizationParams, userId: Type.String() })
const INVITATIONS = `${ORGANIZATION_PATH}/invitations` as const

export const listMembersForBuilder = defineOperation({
  id: 'listMembers',
  method: 'GET',
  path: `${ORGANIZATION_PATH}/members`,
  tag: 'Members',
  summary: 'List members and open invitations',
  access: 'builder',
  needs: 'read',
  params: Type.Object(organizationParams),
  success: {
    status: 200,
    description: 'Members by name, and invitations, newest first.',
    body: Type.Object({ members: Type.Array(Member), invitations: Type.Array(Invitation) }),
  },
  errors: [],
})

export const changeMemberForBuilder = defineOperation({
  id: 'changeMember',
  method: 'PUT',
  path: MEMBER,
  tag: 'Members',
  summary: 'Change the role of a member, or suspend or reactivate the member',
  description: 'Takes effect with the next request of the member. Only owners may make or change owners.',
  access: 'builder',
  needs: 'manage',
  params: memberParams,
  body: ChangeMemberBody,
  success: { status: 200, description: 'The member.', body: Member },
  errors: ['validation_error', 'member_not_found', 'version_conflict', 'last_owner'],
})

export const removeMemberForBuilder = defineOperation({
  id: 'removeMember',
  method: 'DELETE',
  path: MEMBER,
  tag: 'Members',
  summary: 'Remove a member',
  description: 'The account is kept: it may belong to other organizations.',
  access: 'builder',
  needs: 'manage',
  params: memberParams,
  success: { status: 204, description: 'Removed.', body: Type.Null() },
  errors: ['member_not_found', 'last_owner'],
})

export const inviteMemberForBuilder = defineOperation({
  id: 'inviteMember',
  method: 'POST',
  path: INVITATIONS,
  tag: 'Members',
  summary: 'Invite a person',
  description: 'Inviting an address again creates a new link; the earlier one becomes invalid.',
  access: 'builder',
  needs: 'manage',
  params: Type.Object(organizationParams),
  body: InviteMemberBody,
  success: {
    status: 201,
    description: 'The invitation.',
    body: Type.Object({
      invitation: Invitation,
      link: Nullable(
        Type.String({ description: 'To pass on, shown only here; null: it was sent by e-mail.' }),
      ),
    }),
  },
  errors: ['validation_error', 'already_member', 'bad_gateway'],
})

export const withdrawInvitationForBuilder = defineOperation({
  id: 'withdrawInvitation',
  method: 'DELETE',
  path: `${INVITATIONS}/{invitationId}`,
  tag: 'Members',
  summary: 'Withdraw an invitation',
  access: 'builder',
  needs: 'manage',
  params: Type.Object({ ...organizationParams, invitationId: Type.String() }),
  success: { status: 204, description: 'The link is invalid.', body: Type.Null() },
  errors: ['invitation_not_found'],
})
