import { type Static, Type } from 'typebox'
import { MEMBER_STATUSES } from '../../members/member.ts'
import { MEMBER_ROLES } from '../../permissions/permissions.ts'
import { Choice } from '../../schema/choice.ts'
import { IsoTimestamp, Uuid } from '../../schema/formats.ts'
import type { InvitationId, UserId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'

const address = Nullable(Type.String({ description: 'null for members without the permission to manage.' }))

/** A member of an organization. */
export const Member = Type.Object({
  userId: Uuid<UserId>(),
  name: Type.String(),
  email: address,
  role: Choice(MEMBER_ROLES),
  status: Choice(MEMBER_STATUSES),
  createdAt: IsoTimestamp(),
})
export type Member = Static<typeof Member>

/** An invitation that was not accepted yet. */
export const Invitation = Type.Object({
  invitationId: Uuid<InvitationId>(),
  email: address,
  role: Choice(MEMBER_ROLES),
  mailed: Type.Boolean({ description: 'Whether the link was sent by e-mail; else it was shown once.' }),
  createdAt: IsoTimestamp(),
  expiresAt: IsoTimestamp({ description: 'May have passed: inviting again makes a new link.' }),
})
export type Invitation = Static<typeof Invitation>
