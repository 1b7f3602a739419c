import { Type } from 'typebox'
import { Choice } from '../../schema/choice.ts'
import { Uuid } from '../../schema/formats.ts'

/**
 * The users of a resource: teams in their current version, published workflows, and, for a single agent, the agents
 * that have it as a tool.
 */
export const UsedBy = Type.Array(
  Type.Object({
    kind: Choice(['agent', 'team', 'workflow']),
    id: Uuid(),
    name: Type.String(),
  }),
)
