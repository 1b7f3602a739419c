import { type Static, Type } from 'typebox'
import { OpenObject } from '../../schema/objects.ts'
import { TeamDescription, TeamName } from '../../teams/team.ts'

/** A team as its editor has it, saved or not. */
export const TeamDraft = Type.Object(
  {
    name: Type.Optional(TeamName),
    description: Type.Optional(TeamDescription),
    config: OpenObject({ maxProperties: 1_000 }),
  },
  { description: 'The configuration is taken whole; what is absent has its default.' },
)
export type TeamDraft = Static<typeof TeamDraft>
