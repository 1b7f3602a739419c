import { Choice, Uuid } from '@troupe/contract'
import { Type } from 'typebox'

/** What uses a resource: teams in their current version, published workflows, and, of a single agent, those that have it as a tool. */
export const UsedBy = Type.Array(
  Type.Object({ kind: Choice(['agent', 'team', 'workflow']), id: Uuid(), name: Type.String() }),
)
