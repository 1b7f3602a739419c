import { type Static, Type } from 'typebox'
import { Citations } from '../runs/citation.ts'
import { RunMessage } from '../runs/message.ts'
import { Choice } from '../schema/choice.ts'
import { IsoTimestamp, Uuid } from '../schema/formats.ts'
import type { AgentId, ProjectId, RunId, TeamId } from '../schema/ids.ts'
import { Nullable } from '../schema/nullable.ts'

/** A conversation with an agent or a team. */
export const Session = Type.Object({
  sessionId: Type.String(),
  kind: Choice(['agent', 'team']),
  agentId: Nullable(Uuid<AgentId>({ description: 'null for a session of a team.' })),
  teamId: Nullable(Uuid<TeamId>({ description: 'null for a session of an agent.' })),
  projectId: Nullable(Uuid<ProjectId>()),
  userId: Type.String({ description: 'The owner.' }),
  runs: Type.Integer({ description: 'How many runs were started in it.' }),
  createdAt: IsoTimestamp(),
  lastRunAt: IsoTimestamp(),
})
export type Session = Static<typeof Session>

/** A message of a session, with its citations if it is an answer. */
export const SessionMessage = Type.Object({
  ...RunMessage.properties,
  runId: Nullable(
    Uuid<RunId>({ description: 'null: said without a run in a voice session, such as the greeting.' }),
  ),
  citations: Citations,
  interrupted: Type.Optional(
    Type.Boolean({
      description:
        'Of an answer that was spoken: whether it was cut off; `content` is the part that was heard.',
    }),
  ),
})
export type SessionMessage = Static<typeof SessionMessage>

export const SessionParams = Type.Object({ sessionId: Type.String({ minLength: 1 }) })

/** The agent or team of the session, if several have one with this id. */
export const sessionEntity = {
  agent_id: Type.Optional(Uuid<AgentId>()),
  team_id: Type.Optional(Uuid<TeamId>()),
}
