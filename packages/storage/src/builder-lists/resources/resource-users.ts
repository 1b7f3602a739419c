import type { AgentId, OrganizationId, ProjectId } from '@troupe/contract'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { type Placeholders, statement } from '../../sql/client/statement.ts'
import { configuredTexts, mentionsOfMany, namesId } from './mentions.ts'

/** What uses a knowledge base or a skill. */
export interface ResourceUserRow {
  /** The knowledge base or the skill. */
  of: string
  kind: 'agent' | 'team' | 'workflow'
  id: string
  name: string
}

type Parameter = 'organizationId' | 'ids'

/** Agents that name a skill by its slug; an agent of the organization finds no skill of a project so. */
const bySlug = (organization: string) => `
  union
  select r.id, 'agent', a.id, a.name
  from agents a
  cross join lateral jsonb_array_elements(case jsonb_typeof((a.config->'skills')::jsonb)
    when 'array' then (a.config->'skills')::jsonb else '[]'::jsonb end) s
  join asked r on r.slug = s->>'slug' and (r.project_id is null or r.project_id = a.project_id)
  where a.organization_id = ${organization} and a.status <> 'archived'`

const users = (p: Placeholders<Parameter>, table: string, hasSlugs: boolean) => `
with asked as (
  select * from ${table} where organization_id = ${p.organizationId}::uuid and id = any(${p.ids}::uuid[])
), ${mentionsOfMany(configuredTexts(`${p.organizationId}::uuid`, `a.status <> 'archived'`), 'asked')}
select u.of, u.kind, u.id, u.name from (
  select m.of, m.kind, m.id, m.name from mentions m${hasSlugs ? bySlug(`${p.organizationId}::uuid`) : ''}
) u order by u.kind, u.name, u.id limit 1000`

const OF_KNOWLEDGE = statement<Parameter>('users_of_knowledge', (p) => users(p, 'knowledge_bases', false))
const OF_SKILLS = statement<Parameter>('users_of_skills', (p) => users(p, 'skills', true))

/** An agent that has another one among its tools. */
export interface CallingAgentRow {
  id: AgentId
  projectId: ProjectId | null
  name: string
}

/** Whether the agent `a`, which is not archived, has the agent with this id among its tools. */
export const callsAgent = (id: string) =>
  `a.status <> 'archived' and a.id <> ${id} and position(${id}::text in lower((a.config->'tools')::text)) > 0`

const CALLING = statement<'organizationId' | 'id'>(
  'agents_that_call',
  (p) => `
select a.id, a.project_id as "projectId", a.name from agents a
where a.organization_id = ${p.organizationId}::uuid and ${callsAgent(`${p.id}::uuid`)}
order by a.name, a.id limit 100`,
)

/** What uses a credential, an MCP server or an LLM configuration. */
export interface UserElsewhereRow {
  kind: 'agent' | 'team' | 'workflow' | 'knowledge_base' | 'voice_configuration'
  id: string
  name: string
}

/** MCP servers are left out: who moves their credential checks their hosts as well. */
const ELSEWHERE = statement<'organizationId' | 'id' | 'projectId'>('users_elsewhere', (p) => {
  const organization = `${p.organizationId}::uuid`
  return `
select u.kind, u.id, u.name from (select ${p.id}::uuid as id) r cross join lateral (
  select 'agent' as kind, a.id, a.name, a.project_id from agents a
  where a.organization_id = ${organization} and a.status <> 'archived' and ${namesId('r', 'a.config')}
  union all
  select 'team', t.id, t.name, t.project_id from teams t where t.organization_id = ${organization} and ${namesId('r', 't.config')}
  union all
  select 'workflow', w.id, w.name, w.project_id from workflows w
  where w.organization_id = ${organization} and w.deleted_at is null
    and (${namesId('r', 'w.draft')} or exists (select from workflow_resources x
      where x.organization_id = ${organization} and x.deployment_id = w.active_deployment_id and x.resource_id = r.id))
  union all
  select 'knowledge_base', b.id, b.name, b.project_id from knowledge_bases b
  where b.organization_id = ${organization} and r.id in (b.embedding_llm_config_id, b.next_llm_config_id)
  union all
  select 'voice_configuration', v.id, v.slug, v.project_id from voice_configurations v
  where v.organization_id = ${organization}
    and (v.stt_credential_id = r.id or v.tts_credential_id = r.id or ${namesId('r', 'v.settings')})
) u
where u.project_id <> ${p.projectId}::uuid order by u.kind, u.name, u.id limit 100`
})

/** Reads of what uses resources. */
export function resourceUserRows(client: SqlClient) {
  return {
    /** The agents that run this one as a tool, by name, at most 100; archived ones run nothing. */
    callingAgents: (organizationId: OrganizationId, id: AgentId): Promise<CallingAgentRow[]> =>
      client.query<CallingAgentRow>(...CALLING({ organizationId, id })),
    /**
     * What names the id and belongs to another project than this one, by kind and name, at most 100. What belongs to none
     * uses resources of every project.
     */
    elsewhere: (organizationId: OrganizationId, id: string, projectId: ProjectId) =>
      client.query<UserElsewhereRow>(...ELSEWHERE({ organizationId, id, projectId })),
    /** Of those of the organization; by kind and name, at most 1,000. */
    of: (
      organizationId: OrganizationId,
      kind: 'knowledge_base' | 'skill',
      ids: readonly string[],
    ): Promise<ResourceUserRow[]> => {
      const parameters = { organizationId, ids: `{${ids.join(',')}}` }
      return client.query<ResourceUserRow>(
        ...(kind === 'skill' ? OF_SKILLS(parameters) : OF_KNOWLEDGE(parameters)),
      )
    },
  }
}
