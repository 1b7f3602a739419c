import { type Static, Type } from 'typebox'
import { MEMBER_ROLES } from '../permissions/permissions.ts'
import { Choice } from '../schema/choice.ts'
import { ShownName } from '../schema/shown-name.ts'

/** Suspended members keep their account but have no access to the organization. */
export const MEMBER_STATUSES = ['active', 'suspended'] as const
export type MemberStatus = (typeof MEMBER_STATUSES)[number]

/** An address that every mail server accepts; compared in lower case. */
export const EmailAddress = Type.String({
  maxLength: 254,
  pattern:
    "^(?!\\.)(?!.*\\.\\.)[A-Za-z0-9_'+.-]{0,63}[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]{0,62}\\.)+[A-Za-z]{2,63}$",
  patternMessage: 'must be an e-mail address',
})
export const PersonName = ShownName
export const Password = Type.String({ minLength: 8, maxLength: 128 })

/** The member to invite, with the role. */
export const InviteMemberBody = Type.Object({ email: EmailAddress, role: Choice(MEMBER_ROLES) })
export type InviteMemberBody = Static<typeof InviteMemberBody>

/** The changes to a member. */
export const ChangeMemberBody = Type.Object({
  role: Type.Optional(Choice(MEMBER_ROLES)),
  status: Type.Optional(Choice(MEMBER_STATUSES)),
  expected: Type.Optional(
    Type.Object(
      { role: Type.Optional(Choice(MEMBER_ROLES)), status: Type.Optional(Choice(MEMBER_STATUSES)) },
      { description: 'The expected state of the member; any other is refused with `version_conflict`.' },
    ),
  ),
})
export type ChangeMemberBody = Static<typeof ChangeMemberBody>
