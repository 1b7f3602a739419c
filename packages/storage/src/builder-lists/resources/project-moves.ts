import type { AgentId, OrganizationId, ProjectId } from '@troupe/contract'
import type { MovableKind } from '@troupe/contract/builder'
import { json, nullable, text, uuid } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { type Placeholders, statement } from '../../sql/client/statement.ts'
import type { TableName } from '../../tables/table-name.ts'

/** A resource to move. */
export interface ThingToMove {
  kind: MovableKind
  id: string
}

/** A stored resource with its project. */
export interface OwnedThingRow extends ThingToMove {
  name: string
  projectId: ProjectId | null
}

/** A reference between two resources, at least one of which is to be moved. */
export interface UseRow {
  user: OwnedThingRow
  used: OwnedThingRow
}

/** An agent that names a skill by its slug. */
export interface SlugUseRow {
  agentId: AgentId
  name: string
  projectId: ProjectId | null
  slug: string
}

type Parameter = 'organizationId' | 'kinds' | 'ids'

/** From arrays, because the planner knows their length. */
const toMove = (p: Placeholders<Parameter>) =>
  `moving as (select m.kind, m.id from unnest(${p.kinds}::text[], ${p.ids}::uuid[]) as m (kind, id))`

/**
 * The resources of a list with their projects, as a select. Each table is looked up by its primary key.
 *
 * @param ids a select of ids
 */
const owned = (p: Placeholders<Parameter>, ids: string) => {
  const wanted = (table: TableName) =>
    `from ${table} o where o.organization_id = ${p.organizationId}::uuid and o.id in (${ids})`
  return `
  select 'agent' as kind, o.id, o.name, o.project_id, o.status = 'archived' as is_archived ${wanted('agents')}
  union all
  select 'team', o.id, o.name, o.project_id, false ${wanted('teams')}
  union all
  select 'workflow', o.id, o.name, o.project_id, false ${wanted('workflows')} and o.deleted_at is null
  union all
  select 'knowledge_base', o.id, o.name, o.project_id, false ${wanted('knowledge_bases')}
  union all
  select 'skill', o.id, o.slug, o.project_id, false ${wanted('skills')}
  union all
  select 'llm_configuration', o.id, o.name, o.project_id, false ${wanted('llm_configurations')}
  union all
  select 'credential', o.id, o.name, o.project_id, false ${wanted('credentials')}
  union all
  select 'mcp_server', o.id, o.name, o.project_id, false ${wanted('mcp_servers')}
  union all
  select 'phone_trunk', o.id, o.name, o.project_id, false ${wanted('phone_trunks')}`
}

/** Selects of references, as kind, id, used_kind, used, with the columns for conditions on the user and on the used resource. */
const USES_OF: readonly { select: string; user: string; used: string; organization: string }[] = [
  {
    select: `select r.owner_kind as kind, r.owner_id as id, r.target_kind as used_kind, r.target_id as used from config_references r`,
    ...{ user: '(r.owner_kind, r.owner_id)', used: 'r.target_id', organization: 'r' },
  },
  {
    // An agent uses the credentials of its voice.
    select: `select 'agent', v.agent_id, r.target_kind, r.target_id from voice_configurations v
  join config_references r on r.owner_kind = 'voice_configuration' and r.owner_id = v.id and r.organization_id = v.organization_id`,
    ...{ user: `('agent', v.agent_id)`, used: 'r.target_id', organization: 'r' },
  },
  {
    select: `select 'workflow', w.id, x.kind, x.resource_id from workflow_resources x
  join workflows w on w.organization_id = x.organization_id and w.active_deployment_id = x.deployment_id`,
    ...{ user: `('workflow', w.id)`, used: 'x.resource_id', organization: 'x' },
  },
  {
    select: `select 'knowledge_base', b.id, 'llm_configuration', l.id from knowledge_bases b
  cross join lateral (values (b.embedding_llm_config_id), (b.next_llm_config_id)) l (id)`,
    ...{ user: `('knowledge_base', b.id)`, used: 'l.id', organization: 'b' },
  },
  {
    select: `select 'mcp_server', m.id, 'credential', m.credential_id from mcp_servers m`,
    ...{ user: `('mcp_server', m.id)`, used: 'm.credential_id', organization: 'm' },
  },
  {
    // A trunk names the agents that speak for its numbers.
    select: `select 'phone_trunk', n.trunk_id, 'agent', v.agent_id from phone_numbers n
  join voice_configurations v on v.organization_id = n.organization_id and v.id = n.voice_config_id`,
    ...{ user: `('phone_trunk', n.trunk_id)`, used: 'v.agent_id', organization: 'n' },
  },
]

/**
 * The references of the moved resources in both directions: kind, id, used_kind, used. Each direction has its own
 * index.
 */
const uses = (p: Placeholders<Parameter>) => {
  const selects = USES_OF.flatMap(({ select, user, used, organization }) => {
    const ofOrganization = `${select} where ${organization}.organization_id = ${p.organizationId}::uuid and ${used} is not null`
    return [
      `${ofOrganization} and ${user} in (select kind, id from moving)`,
      `${ofOrganization} and ${used} in (select id from moving)`,
    ]
  })
  return `uses as materialized (
  ${selects.join('\n  union\n  ')}
)`
}

const THINGS = statement<Parameter>(
  'things_to_move',
  (p) => `
with ${toMove(p)}
select o.kind, o.id, o.name, o.project_id as "projectId"
from moving m join (${owned(p, 'select id from moving')}) o on o.kind = m.kind and o.id = m.id`,
).returning({
  kind: text<MovableKind>(),
  id: uuid<string>(),
  name: text(),
  projectId: nullable(uuid<ProjectId>()),
})

/** Archived agents use nothing, unless they are moved themselves. */
const USES = statement<Parameter>(
  'uses_of_things_to_move',
  (p) => `
with ${toMove(p)}, ${uses(p)}, owned as materialized (${owned(p, 'select id from uses union select used from uses')})
select json_build_object('kind', o.kind, 'id', o.id, 'name', o.name, 'projectId', o.project_id) as "user",
  json_build_object('kind', u.kind, 'id', u.id, 'name', u.name, 'projectId', u.project_id) as used
from uses n join owned o on o.kind = n.kind and o.id = n.id join owned u on u.kind = n.used_kind and u.id = n.used
where o.id <> u.id and ((o.kind, o.id) in (select kind, id from moving)
  or (not o.is_archived and (u.kind, u.id) in (select kind, id from moving)))
order by o.kind, o.name, o.id, u.kind, u.name, u.id`,
).returning({ user: json<OwnedThingRow>(), used: json<OwnedThingRow>() })

const SLUG_USES = statement<Parameter>('slug_uses_of_things_to_move', (p) => {
  const named = `
  select a.id, a.name, a.project_id, a.status, r.target_slug as slug from config_references r
  join agents a on r.owner_kind = 'agent' and a.organization_id = r.organization_id and a.id = r.owner_id
  where r.organization_id = ${p.organizationId}::uuid and r.target_kind = 'skill' and r.target_id is null`
  return `
with ${toMove(p)}, slugs as materialized (
  select s.slug from skills s join moving m on m.kind = 'skill' and m.id = s.id where s.organization_id = ${p.organizationId}::uuid
), named as (
  ${named} and (r.owner_kind, r.owner_id) in (select kind, id from moving)
  union
  ${named} and r.target_slug in (select slug from slugs) and a.status <> 'archived'
)
select n.id as "agentId", n.name, n.project_id as "projectId", n.slug from named n order by n.name, n.id, n.slug`
}).returning({ agentId: uuid<AgentId>(), name: text(), projectId: nullable(uuid<ProjectId>()), slug: text() })

const SKILLS_OF_SLUGS = statement<'organizationId' | 'slugs'>(
  'skills_of_slugs',
  (p) => `
select 'skill' as kind, s.id, s.slug as name, s.project_id as "projectId" from skills s
where s.organization_id = ${p.organizationId}::uuid
  and s.slug in (select json_array_elements_text(${p.slugs}::json))`,
).returning({
  kind: text<MovableKind>(),
  id: uuid<string>(),
  name: text(),
  projectId: nullable(uuid<ProjectId>()),
})

/** Reads for moves between projects. */
export function projectMoveRows(client: SqlClient) {
  const parameters = (organizationId: OrganizationId, things: readonly ThingToMove[]) => ({
    organizationId,
    kinds: `{${things.map(({ kind }) => kind).join(',')}}`,
    ids: `{${things.map(({ id }) => id).join(',')}}`,
  })
  return {
    /** The existing ones, in no particular order; deleted workflows are omitted. */
    things: (organizationId: OrganizationId, things: readonly ThingToMove[]) =>
      client.query(...THINGS(parameters(organizationId, things))),
    /** The references from and to these resources by id. */
    uses: (organizationId: OrganizationId, things: readonly ThingToMove[]) =>
      client.query(...USES(parameters(organizationId, things))),
    /** The agents among these resources that name a skill by its slug, and all agents that name one of these skills by its slug. */
    slugUses: (organizationId: OrganizationId, things: readonly ThingToMove[]) =>
      client.query(...SLUG_USES(parameters(organizationId, things))),
    /** The skills with these slugs; each project and the organization may have one. */
    skillsOfSlugs: (organizationId: OrganizationId, slugs: readonly string[]) =>
      client.query(...SKILLS_OF_SLUGS({ organizationId, slugs: JSON.stringify(slugs) })),
  }
}
