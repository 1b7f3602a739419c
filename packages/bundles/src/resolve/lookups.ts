import type { ProjectId } from '@troupe/contract'
import type { OfferedModels } from '@troupe/operations/llm-configurations/default-model-list'
import type { AgentRecord, LlmConfigurationRecord, TeamRecord } from '@troupe/storage'
import type { NameLookup } from './name-lookup.ts'

/** Finds what a team or a workflow may refer to. */
export type AgentLookup = NameLookup<Pick<AgentRecord, 'id' | 'projectId' | 'status'>>

/** Finds what a workflow may refer to. */
export type TeamLookup = NameLookup<Pick<TeamRecord, 'id' | 'projectId'>>

/** Finds what an agent, a team or a workflow may refer to. */
export type LlmLookup = NameLookup<
  Pick<LlmConfigurationRecord, 'id' | 'projectId' | 'status' | 'name' | 'models' | 'allowUnlistedModels'>
>

/** Everything that a workflow may refer to. */
export interface Lookups {
  agent: AgentLookup
  team: TeamLookup
  llm: LlmLookup
}

/** Also the configuration that nodes without one use; undefined when there is none. */
export interface WorkflowLookups extends Lookups {
  defaultLlm: (projectId: ProjectId | null) => OfferedModels | undefined
}
