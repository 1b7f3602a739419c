import type { Agent, Team } from '@troupe/contract'
import type { AgentDetails, AgentSummary, TeamDetails, TeamSummary } from '@troupe/contract/builder'
import type {
  AgentOverview,
  AgentRecord,
  RunnableDetails,
  RunnableOverviews,
  TeamOverview,
  TeamRecord,
} from '@troupe/storage'
import { presentActivity } from '../versions/present-activity.ts'
import { agentSettingsOf } from './agent-settings.ts'

/** The rows of lists and of single items in the builder's API, by kind. */
export interface RunnableSummaries {
  agent: AgentSummary
  team: TeamSummary
}
export interface PresentedDetails {
  agent: AgentDetails
  team: TeamDetails
}

/** An agent as callers see it. */
export function presentAgent(record: AgentRecord): Agent {
  const { id: agentId, status, config } = record
  return { agentId, status, config, ...ofBothKinds(record), ...agentSettingsOf(record) }
}

/** A team as callers see it. */
export function presentTeam(record: TeamRecord): Team {
  return { teamId: record.id, versionId: record.versionId, config: record.config, ...ofBothKinds(record) }
}

/** Times in ISO 8601 UTC. */
function ofBothKinds(record: AgentRecord | TeamRecord) {
  const { name, description, projectId, configSchemaVersion, createdAt, updatedAt } = record
  return {
    ...{ name, description, projectId, configSchemaVersion },
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

function overviewOfBothKinds(row: AgentOverview | TeamOverview) {
  const { name, description, projectId, slug, versionNumber, changedBy, usedBy } = row
  return {
    ...{ name, description, projectId, slug, versionNumber, changedBy, usedBy },
    ...presentActivity(row),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

function agentSummary(row: AgentOverview): AgentSummary {
  const { id: agentId, versionId, status, models } = row
  return { agentId, versionId, status, models, ...overviewOfBothKinds(row), ...agentSettingsOf(row) }
}

function teamSummary(row: TeamOverview): TeamSummary {
  return {
    teamId: row.id,
    versionId: row.versionId,
    mode: row.mode,
    agents: row.agents,
    ...overviewOfBothKinds(row),
  }
}

/** A row of a list, by kind. */
export const PRESENT_SUMMARY: {
  [K in keyof RunnableSummaries]: (row: RunnableOverviews[K]) => RunnableSummaries[K]
} = { agent: agentSummary, team: teamSummary }

/** An agent or a team as its editor shows it, by kind. */
export const PRESENT_DETAILS: {
  [K in keyof PresentedDetails]: (row: RunnableDetails[K]) => PresentedDetails[K]
} = {
  agent: (row) => ({
    ...agentSummary(row),
    config: row.config,
    configSchemaVersion: row.configSchemaVersion,
  }),
  team: (row) => ({ ...teamSummary(row), config: row.config, configSchemaVersion: row.configSchemaVersion }),
}
