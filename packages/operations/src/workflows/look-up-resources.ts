import type { Scope } from '@troupe/agents/ports'
import { type ProjectId, toId } from '@troupe/contract'
import type { AgentRecord, Readers, WorkflowResource } from '@troupe/database'
import type { ResourceLookup, ResourceReference, ResourceState } from '@troupe/graph'
import { type ModelList, unlistedModel } from '../llm-configurations/unlisted-model.ts'

/**
 * Whether a workflow may use a project's resource: an organization-level workflow may use any, others those
 * of the organization level or their project.
 */
export function mayUse(workflowProject: ProjectId | null, ofProject: ProjectId | null): boolean {
  return workflowProject === null || ofProject === null || workflowProject === ofProject
}

/** The state of an agent as graph validation sees it. */
export function agentState({ status }: Pick<AgentRecord, 'status'>): ResourceState {
  return status === 'active' ? 'usable' : status
}

/** The state of a connected LLM configuration for a requested model, as graph validation sees it. */
export function modelState(list: ModelList, modelId: string | undefined): ResourceState {
  const unlisted = unlistedModel(list, modelId)
  return unlisted === null ? 'usable' : { unlistedModel: unlisted }
}

/**
 * Looks up the resources that a workflow references: LLM configurations must be connected, and visible to the
 * caller too. Call it under the organization's lock when the result must remain valid.
 */
export async function lookUpResources(
  read: Pick<Readers, 'agents' | 'teams' | 'llmConfigurations'>,
  scope: Scope,
  workflow: { projectId: ProjectId | null },
  references: readonly ResourceReference[],
): Promise<ResourceLookup> {
  const { organizationId } = scope
  const states = new Map<string, ResourceState>()
  const lists = new Map<string, ModelList>()
  const idsOf = (kind: ResourceReference['kind']) =>
    new Set(references.flatMap((one) => (one.kind === kind ? (toId(one.id) ?? []) : [])))
  const found = (
    kind: string,
    { id, projectId }: { id: string; projectId: ProjectId | null },
    state: ResourceState,
  ) => {
    if (mayUse(workflow.projectId, projectId)) states.set(`${kind} ${id}`, state)
  }
  for (const agent of await read.agents.byIds(organizationId, [...idsOf('agent')])) {
    found('agent', agent, agentState(agent))
  }
  for (const id of idsOf('team')) {
    const team = await read.teams.byId(organizationId, id)
    if (team) found('team', team, 'usable')
  }
  if (idsOf('llm_configuration').size > 0) {
    for (const row of await read.llmConfigurations.visible(scope)) {
      found('llm_configuration', row, 'usable')
      lists.set(row.id, row)
    }
  }
  return ({ kind, id, model }) => {
    const state = states.get(`${kind} ${id.toLowerCase()}`) ?? 'missing'
    const list = lists.get(id.toLowerCase())
    return state === 'usable' && list && kind === 'llm_configuration' ? modelState(list, model?.id) : state
  }
}

/** The referenced resources without duplicates; ids in the database's notation. */
export function resourcesOf(references: readonly ResourceReference[]): WorkflowResource[] {
  const distinct = new Map<string, WorkflowResource>()
  for (const { kind, id } of references) {
    const resource = { kind, id: id.toLowerCase() as WorkflowResource['id'] }
    distinct.set(`${kind} ${resource.id}`, resource)
  }
  return [...distinct.values()]
}
