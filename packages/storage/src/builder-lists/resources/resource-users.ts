import type { AgentId, OrganizationId, ProjectId, WorkflowId } from '@troupe/contract'
import { nullable, type RowOfColumns, text, uuid } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { type Placeholders, statement } from '../../sql/client/statement.ts'
import type { TableName } from '../../tables/table-name.ts'
import { referenceOwners } from './reference-owners.ts'

type Parameter = 'organizationId' | 'ids'

/** An agent at organization level cannot find a project's skill by its slug. */
const BY_SLUG = `
    or (o.target_kind = 'skill' and o.target_slug = asked.slug and (asked.project_id is null or asked.project_id = o.project_id))`

const users = (p: Placeholders<Parameter>, table: TableName, hasSlugs: boolean) => {
  const organization = `${p.organizationId}::uuid`
  const slugs = `(r.target_id is null and r.target_kind = 'skill' and r.target_slug in (
    select s.slug from skills s where s.organization_id = ${organization} and s.id = any(${p.ids}::uuid[])))`
  const named = `r.target_id = any(${p.ids}::uuid[])${hasSlugs ? ` or ${slugs}` : ''}`
  return `
select distinct asked.id as of, o.kind, o.id, o.name
from ${table} asked join (${referenceOwners(organization, `(${named})`)}) o on o.target_id = asked.id${hasSlugs ? BY_SLUG : ''}
where asked.organization_id = ${organization} and asked.id = any(${p.ids}::uuid[]) and not o.is_archived
order by o.kind, o.name, o.id limit 1000`
}

const RESOURCE_USER = {
  /** The knowledge base or the skill. */
  of: uuid<string>(),
  kind: text<'agent' | 'team' | 'workflow'>(),
  id: uuid<string>(),
  name: text(),
}

/** A user of a knowledge base or a skill. */
export type ResourceUserRow = RowOfColumns<typeof RESOURCE_USER>

const OF_KNOWLEDGE = statement<Parameter>('users_of_knowledge', (p) =>
  users(p, 'knowledge_bases', false),
).returning(RESOURCE_USER)
const OF_SKILLS = statement<Parameter>('users_of_skills', (p) => users(p, 'skills', true)).returning(
  RESOURCE_USER,
)

/** An agent that has another agent, or a workflow, among its tools. */
export interface CallingAgentRow {
  id: AgentId
  projectId: ProjectId | null
  name: string
}

/** The agents with this agent or workflow among their tools, without archived ones: id, project_id, name. */
export const callersOf = (organization: string, id: string) =>
  `select distinct o.id, o.project_id, o.name
  from (${referenceOwners(organization, `r.target_id = ${id} and r.owner_kind = 'agent'`)}) o where o.id <> ${id} and not o.is_archived`

const CALLING = statement<'organizationId' | 'id'>(
  'agents_that_call',
  (p) => `
select c.id, c.project_id as "projectId", c.name from (${callersOf(`${p.organizationId}::uuid`, `${p.id}::uuid`)}) c
order by c.name, c.id limit 100`,
).returning({ id: uuid<AgentId>(), projectId: nullable(uuid<ProjectId>()), name: text() })

/** Users of a credential, an MCP server or an LLM configuration. MCP servers are omitted: moving their credential also checks their hosts. */
const ELSEWHERE = statement<'organizationId' | 'id' | 'projectId'>('users_elsewhere', (p) => {
  const organization = `${p.organizationId}::uuid`
  return `
select u.kind, u.id, u.name from (
  select distinct o.kind, o.id, o.name, o.project_id
  from (${referenceOwners(organization, `r.target_id = ${p.id}::uuid`)}) o where not o.is_archived
  union
  select 'workflow', w.id, w.name, w.project_id from workflow_resources x join workflows w on w.active_deployment_id = x.deployment_id
  where x.organization_id = ${organization} and x.resource_id = ${p.id}::uuid and w.organization_id = ${organization}
    and w.deleted_at is null
  union
  select 'knowledge_base', b.id, b.name, b.project_id from knowledge_bases b
  where b.organization_id = ${organization} and ${p.id}::uuid in (b.embedding_llm_config_id, b.next_llm_config_id)
) u
where u.project_id <> ${p.projectId}::uuid order by u.kind, u.name, u.id limit 100`
}).returning({
  kind: text<'agent' | 'team' | 'workflow' | 'knowledge_base' | 'voice_configuration'>(),
  id: uuid<string>(),
  name: text(),
})

/** Reads of the users of resources. */
export function resourceUserRows(client: SqlClient) {
  return {
    /** The agents with this one as a tool, by name, at most 100; archived ones are omitted. */
    callingAgents: (organizationId: OrganizationId, id: AgentId | WorkflowId): Promise<CallingAgentRow[]> =>
      client.query(...CALLING({ organizationId, id })),
    /**
     * The references to the id from other projects, by kind and name, at most 100. Resources without a project may use
     * those of every project, so they are omitted.
     */
    elsewhere: (organizationId: OrganizationId, id: string, projectId: ProjectId) =>
      client.query(...ELSEWHERE({ organizationId, id, projectId })),
    /** By kind and name, at most 1,000, within the organization. */
    of: (
      organizationId: OrganizationId,
      kind: 'knowledge_base' | 'skill',
      ids: readonly string[],
    ): Promise<ResourceUserRow[]> => {
      const parameters = { organizationId, ids: `{${ids.join(',')}}` }
      return client.query(...(kind === 'skill' ? OF_SKILLS(parameters) : OF_KNOWLEDGE(parameters)))
    },
  }
}
