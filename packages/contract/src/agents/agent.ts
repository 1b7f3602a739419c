import { type Static, type TObject, Type } from 'typebox'
import { FieldError } from '../errors/error-body.ts'
import { Choice } from '../schema/choice.ts'
import { IsoTimestamp, Uuid } from '../schema/formats.ts'
import type { AgentId, ProjectId } from '../schema/ids.ts'
import { Nullable } from '../schema/nullable.ts'
import { OpenObject } from '../schema/objects.ts'
import { ShownName, StoredName } from '../schema/shown-name.ts'

/** Maximum warnings of one save. */
export const MAX_SAVE_WARNINGS = 50

export const AGENT_STATUSES = ['draft', 'active', 'archived'] as const
/** Whether an agent is being built, in use, or archived. */
export type AgentStatus = (typeof AGENT_STATUSES)[number]

/** 1 to 128 characters, at least one of them visible. */
export const AgentName = ShownName
/** The purpose of an agent; shown to users and to team leads. */
const AgentDescription = Nullable(Type.String({ maxLength: 10_000 }))
/** The settings of an agent besides its name, status and configuration, as in every response. */
const agentSettings = { description: AgentDescription }
/** The same fields in requests: an absent one keeps its value, or is that of a new agent. */
export const givenAgentSettings = { description: Type.Optional(AgentDescription) }
/** The same fields as values. */
export type AgentSettings = Static<TObject<typeof agentSettings>>
/** A configuration in a request: checked after the merge, so that every path starts at `config`. */
export const AgentConfigBody = OpenObject({ maxProperties: 1_000, documentedBy: 'AgentConfig' })

/** An agent in API responses. */
export const Agent = Type.Object({
  agentId: Uuid<AgentId>(),
  name: StoredName,
  ...agentSettings,
  status: Choice(AGENT_STATUSES),
  projectId: Nullable(Uuid<ProjectId>({ description: 'null: an organization-level agent.' })),
  config: OpenObject({ description: 'The full merged configuration.', documentedBy: 'AgentConfig' }),
  configSchemaVersion: Type.Integer(),
  createdAt: IsoTimestamp(),
  updatedAt: IsoTimestamp(),
})
export type Agent = Static<typeof Agent>

/** Changes and omissions of a successful save. Absent: none. */
export const SaveWarnings = Type.Optional(
  Type.Array(FieldError, {
    maxItems: MAX_SAVE_WARNINGS,
    description:
      'Settings that were saved but do not work as written: operations of a document that agents do not get, and keywords of schemas that are interpreted differently. Absent: none.',
  }),
)

/** The response to a save of an agent. */
export const SavedAgent = Type.Object({ ...Agent.properties, warnings: SaveWarnings })
export type SavedAgent = Static<typeof SavedAgent>

export const AgentParams = Type.Object({ agentId: Uuid<AgentId>() })
