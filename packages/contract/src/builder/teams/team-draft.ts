import { type Static, Type } from 'typebox'
import { OpenObject } from '../../schema/objects.ts'
import { TeamDescription, TeamName } from '../../teams/team.ts'

/** A team in its editor, saved or not. */
export const TeamDraft = Type.Object(
  {
    name: Type.Optional(TeamName),
    description: Type.Optional(TeamDescription),
    config: OpenObject({ maxProperties: 1_000 }),
  },
  { description: 'The complete configuration; absent fields have their defaults.' },
)
export type TeamDraft = Static<typeof TeamDraft>
