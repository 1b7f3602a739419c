import { type Static, Type } from 'typebox'
import { AGENT_STATUSES, Agent, SaveWarnings } from '../../agents/agent.ts'
import { Choice } from '../../schema/choice.ts'
import { Uuid } from '../../schema/formats.ts'
import type { AgentId, AgentVersionId, LlmConfigId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'
import { activity } from '../versions/activity.ts'
import { UsedBy } from '../versions/used-by.ts'
import { ChangeAuthor } from '../versions/version.ts'

/** Path prefix of the operations on one agent. */
export const AGENT_PATH = `${ORGANIZATION_PATH}/agents/{agentId}` as const
export const agentParams = { ...organizationParams, agentId: Uuid<AgentId>() }

const { config, configSchemaVersion, ...identity } = Agent.properties

const NamedModelRef = Type.Object({
  llmConfigId: Nullable(
    Uuid<LlmConfigId>({ description: "null: the project's or the organization's default." }),
  ),
  llmConfigName: Nullable(Type.String()),
  modelId: Nullable(Type.String({ description: 'null: the first model of the configuration.' })),
})

/** An agent in a list of the builder, without its configuration. */
export const AgentSummary = Type.Object({
  ...identity,
  slug: Nullable(Type.String()),
  versionId: Uuid<AgentVersionId>(),
  versionNumber: Type.Integer(),
  models: Type.Array(NamedModelRef, { description: 'The primary model, then its fallbacks.' }),
  changedBy: ChangeAuthor,
  usedBy: UsedBy,
  ...activity,
})
export type AgentSummary = Static<typeof AgentSummary>

/** An agent in its editor. */
export const AgentDetails = Type.Object({
  ...AgentSummary.properties,
  config,
  configSchemaVersion,
  warnings: SaveWarnings,
})
export type AgentDetails = Static<typeof AgentDetails>

/** The status of an agent in a query or a body. */
export const AgentStatusChoice = Choice(AGENT_STATUSES)
