import type { ProjectId } from '@troupe/contract'
import type { OfferedModels } from '@troupe/operations/llm-configurations/default-model-list'
import type { AgentRecord, LlmConfigurationRecord, TeamRecord } from '@troupe/storage'
import type { NameLookup } from './name-lookup.ts'

/** Finds the possible references of a team or a workflow. */
export type AgentLookup = NameLookup<Pick<AgentRecord, 'id' | 'projectId' | 'status'>>

/** Finds the possible references of a workflow. */
export type TeamLookup = NameLookup<Pick<TeamRecord, 'id' | 'projectId'>>

/** Finds the possible references of an agent, a team or a workflow. */
export type LlmLookup = NameLookup<
  Pick<LlmConfigurationRecord, 'id' | 'projectId' | 'status' | 'name' | 'models' | 'allowUnlistedModels'>
>

/** All possible references of a workflow. */
export interface Lookups {
  agent: AgentLookup
  team: TeamLookup
  llm: LlmLookup
}

/** Also the default configuration of nodes without one; undefined if there is none. */
export interface WorkflowLookups extends Lookups {
  defaultLlm: (projectId: ProjectId | null) => OfferedModels | undefined
}
