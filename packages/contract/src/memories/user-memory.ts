import { type Static, Type } from 'typebox'
import { IsoTimestamp, Uuid } from '../schema/formats.ts'
import type { AgentId, MemoryId, TeamId } from '../schema/ids.ts'
import { Nullable } from '../schema/nullable.ts'

/** A memory of an agent or a team about a user. */
export const UserMemory = Type.Object({
  memoryId: Uuid<MemoryId>(),
  agentId: Nullable(Uuid<AgentId>({ description: 'The agent that stored it; null: a team did.' })),
  teamId: Nullable(Uuid<TeamId>({ description: 'The team that stored it; null: an agent did.' })),
  userId: Type.String(),
  text: Type.String(),
  createdAt: IsoTimestamp(),
  updatedAt: IsoTimestamp(),
})
export type UserMemory = Static<typeof UserMemory>

/** The `user_id` of run requests. */
export const UserIdText = Type.String({ minLength: 1, maxLength: 255 })
