import { type Static, Type } from 'typebox'
import { EmailAddress } from '../../members/member.ts'
import { MEMBER_ROLES } from '../../permissions/permissions.ts'
import { Choice } from '../../schema/choice.ts'
import { Uuid } from '../../schema/formats.ts'
import type { OrganizationId, UserId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'

/** The signed-in person, their memberships, and the features of this server. */
export const BuilderSession = Type.Object({
  person: Type.Object({ userId: Uuid<UserId>(), name: Type.String(), email: EmailAddress }),
  organizations: Type.Array(
    Type.Object({
      organizationId: Uuid<OrganizationId>(),
      slug: Type.String(),
      name: Type.String(),
      role: Choice(MEMBER_ROLES),
    }),
    { description: 'By name; only active memberships.' },
  ),
  server: Type.Object({
    version: Type.String({ description: 'Of the server: `0.1.0`.' }),
    build: Nullable(
      Type.String({ description: 'Of the pages, as in `X-Troupe-Build`; null: they are not built.' }),
    ),
    publicUrl: Type.String(),
    mail: Type.Boolean({ description: 'Whether invitations are sent by e-mail.' }),
    voice: Type.Boolean({ description: 'Whether voice sessions and calls are served.' }),
    voiceTry: Type.Boolean({ description: 'Whether agents can be talked to at `/voice/try`.' }),
  }),
})
export type BuilderSession = Static<typeof BuilderSession>

/** The credentials of a person. */
export const SignInBody = Type.Object({
  email: Type.String({ minLength: 1, maxLength: 254 }),
  password: Type.String({ minLength: 1, maxLength: 128 }),
})
