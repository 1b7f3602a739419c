import { defaultConfiguration, type ModelList, unlistedModel } from '@troupe/agents'
import type { Scope } from '@troupe/agents/ports'
import { AgentId, type IdKind, type ProjectId, parseId, TeamId } from '@troupe/contract'
import type { ResourceLookup, ResourceReference, ResourceState } from '@troupe/graph'
import type { AgentRecord, Readers, WorkflowResource } from '@troupe/storage'

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
 * Looks up the resources that a workflow references: LLM configurations must be connected, and also visible to the
 * caller. Call it under the organization's lock if the result must remain valid.
 */
export async function lookUpResources(
  read: Pick<Readers, 'agents' | 'teams' | 'llmConfigurations'>,
  scope: Scope,
  workflow: { projectId: ProjectId | null },
  references: readonly ResourceReference[],
): Promise<ResourceLookup> {
  const { organizationId } = scope
  const states = new Map<string, ResourceState>()
  const lists = new Map<string | null, ModelList>()
  const idsOf = (kind: 'agent' | 'team') =>
    references.flatMap((one) => (one.kind === kind && one.id !== null ? [one.id] : []))
  const distinct = <Kind extends string>(kind: IdKind<Kind>, texts: readonly string[]) => [
    ...new Set(texts.flatMap((text) => parseId(kind, text) ?? [])),
  ]
  const found = (
    kind: string,
    { id, projectId }: { id: string; projectId: ProjectId | null },
    state: ResourceState,
  ) => {
    if (mayUse(workflow.projectId, projectId)) states.set(`${kind} ${id}`, state)
  }
  for (const agent of await read.agents.byIds(organizationId, distinct(AgentId, idsOf('agent')))) {
    found('agent', agent, agentState(agent))
  }
  for (const team of await read.teams.byIds(organizationId, distinct(TeamId, idsOf('team')))) {
    found('team', team, 'usable')
  }
  if (references.some(({ kind }) => kind === 'llm_configuration')) {
    const visible = await read.llmConfigurations.visible(scope)
    for (const row of visible) {
      found('llm_configuration', row, 'usable')
      lists.set(row.id, row)
    }
    const usable = visible.filter((row) => mayUse(workflow.projectId, row.projectId))
    const byDefault = defaultConfiguration(workflow.projectId, usable)
    if (byDefault) lists.set(null, byDefault)
  }
  return ({ kind, id, model }) => {
    const key = id?.toLowerCase() ?? null
    // Without a default configuration, runs fail until one exists. As for agents, that is not a reason to refuse.
    const state = key === null ? 'usable' : (states.get(`${kind} ${key}`) ?? 'missing')
    const list = lists.get(key)
    return state === 'usable' && list && kind === 'llm_configuration' ? modelState(list, model?.id) : state
  }
}

/** The resources referenced by id, without duplicates; ids in the database's notation. */
export function resourcesOf(references: readonly ResourceReference[]): WorkflowResource[] {
  const distinct = new Map<string, WorkflowResource>()
  for (const { kind, id } of references) {
    if (id === null) continue
    const resource = { kind, id: id.toLowerCase() as WorkflowResource['id'] }
    distinct.set(`${kind} ${resource.id}`, resource)
  }
  return [...distinct.values()]
}
