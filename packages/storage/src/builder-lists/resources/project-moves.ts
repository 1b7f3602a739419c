import type { OrganizationId, ProjectId } from '@troupe/contract'
import type { MovableKind } from '@troupe/contract/builder'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { type Placeholders, statement } from '../../sql/client/statement.ts'

/** One of the things to move. */
export interface ThingToMove {
  kind: MovableKind
  id: string
}

/** A thing that is stored, with the project that it belongs to. */
export interface OwnedThingRow extends ThingToMove {
  name: string
  projectId: ProjectId | null
}

/** That one thing names another by its id; at least one of them is to be moved. */
export interface UseRow {
  user: OwnedThingRow
  used: OwnedThingRow
}

/** An agent that names a skill by its slug. */
export interface SlugUseRow {
  agentId: string
  name: string
  projectId: ProjectId | null
  slug: string
}

type Parameter = 'organizationId' | 'things'

const toMove = (p: Placeholders<Parameter>) =>
  `moving as (select m.kind, m.id from json_to_recordset(${p.things}::json) as m(kind text, id uuid))`

/** Everything that belongs to a project or to the organization. */
const owned = (p: Placeholders<Parameter>) => {
  const organization = `organization_id = ${p.organizationId}::uuid`
  return `owned as materialized (
  select 'agent' as kind, a.id, a.name, a.project_id, a.status = 'archived' as is_archived from agents a where a.${organization}
  union all
  select 'team', t.id, t.name, t.project_id, false from teams t where t.${organization}
  union all
  select 'workflow', w.id, w.name, w.project_id, false from workflows w where w.${organization} and w.deleted_at is null
  union all
  select 'knowledge_base', b.id, b.name, b.project_id, false from knowledge_bases b where b.${organization}
  union all
  select 'skill', s.id, s.slug, s.project_id, false from skills s where s.${organization}
  union all
  select 'llm_configuration', l.id, l.name, l.project_id, false from llm_configurations l where l.${organization}
  union all
  select 'credential', c.id, c.name, c.project_id, false from credentials c where c.${organization}
  union all
  select 'mcp_server', m.id, m.name, m.project_id, false from mcp_servers m where m.${organization}
  union all
  select 'phone_trunk', k.id, k.name, k.project_id, false from phone_trunks k where k.${organization}
)`
}

/**
 * What names what: kind, id, used_kind, used. An agent speaks with the credentials of its voice, a trunk names the agents that speak
 * for its numbers, and a workflow names what its draft and its deployment use.
 */
const uses = (p: Placeholders<Parameter>) => {
  const organization = `organization_id = ${p.organizationId}::uuid`
  return `uses as materialized (
  select r.owner_kind as kind, r.owner_id as id, r.target_kind as used_kind, r.target_id as used from config_references r
  where r.${organization} and r.target_id is not null
  union
  select 'agent', v.agent_id, r.target_kind, r.target_id from config_references r
  join voice_configurations v on v.organization_id = r.organization_id and v.id = r.owner_id
  where r.${organization} and r.owner_kind = 'voice_configuration' and r.target_id is not null
  union
  select 'workflow', w.id, x.kind, x.resource_id from workflow_resources x
  join workflows w on w.organization_id = x.organization_id and w.active_deployment_id = x.deployment_id where x.${organization}
  union
  select 'knowledge_base', b.id, 'llm_configuration', l.id from knowledge_bases b
  cross join lateral (values (b.embedding_llm_config_id), (b.next_llm_config_id)) l (id) where b.${organization}
  union
  select 'mcp_server', m.id, 'credential', m.credential_id from mcp_servers m where m.${organization}
  union
  select 'phone_trunk', n.trunk_id, 'agent', v.agent_id from phone_numbers n
  join voice_configurations v on v.organization_id = n.organization_id and v.id = n.voice_config_id where n.${organization}
)`
}

const THINGS = statement<Parameter>(
  'things_to_move',
  (p) => `
with ${toMove(p)}, ${owned(p)}
select o.kind, o.id, o.name, o.project_id as "projectId" from moving m join owned o on o.kind = m.kind and o.id = m.id`,
)

/** Archived agents use nothing, unless they are moved themselves. */
const USES = statement<Parameter>(
  'uses_of_things_to_move',
  (p) => `
with ${toMove(p)}, ${owned(p)}, ${uses(p)}
select json_build_object('kind', o.kind, 'id', o.id, 'name', o.name, 'projectId', o.project_id) as "user",
  json_build_object('kind', u.kind, 'id', u.id, 'name', u.name, 'projectId', u.project_id) as used
from uses n join owned o on o.kind = n.kind and o.id = n.id join owned u on u.kind = n.used_kind and u.id = n.used
where o.id <> u.id and ((o.kind, o.id) in (select kind, id from moving)
  or (not o.is_archived and (u.kind, u.id) in (select kind, id from moving)))
order by o.kind, o.name, o.id, u.kind, u.name, u.id`,
)

const SLUG_USES = statement<Parameter>(
  'slug_uses_of_things_to_move',
  (p) => `
with ${toMove(p)}, named as (
  select distinct a.id, a.name, a.project_id, a.status, r.target_slug as slug from config_references r
  join agents a on r.owner_kind = 'agent' and a.organization_id = r.organization_id and a.id = r.owner_id
  where r.organization_id = ${p.organizationId}::uuid and r.target_kind = 'skill' and r.target_id is null
)
select n.id as "agentId", n.name, n.project_id as "projectId", n.slug from named n
where ('agent', n.id) in (select kind, id from moving)
  or (n.status <> 'archived' and n.slug in (
    select s.slug from skills s join moving m on m.kind = 'skill' and m.id = s.id where s.organization_id = ${p.organizationId}::uuid))
order by n.name, n.id, n.slug`,
)

const SKILLS_OF_SLUGS = statement<'organizationId' | 'slugs'>(
  'skills_of_slugs',
  (p) => `
select 'skill' as kind, s.id, s.slug as name, s.project_id as "projectId" from skills s
where s.organization_id = ${p.organizationId}::uuid
  and s.slug in (select json_array_elements_text(${p.slugs}::json))`,
)

/** Reads of what moves between projects. */
export function projectMoveRows(client: SqlClient) {
  const parameters = (organizationId: OrganizationId, things: readonly ThingToMove[]) => ({
    organizationId,
    things: JSON.stringify(things),
  })
  return {
    /** Those that the organization has, in no order; deleted workflows are left out. */
    things: (organizationId: OrganizationId, things: readonly ThingToMove[]) =>
      client.query<OwnedThingRow>(...THINGS(parameters(organizationId, things))),
    /** What these things name and what names them, by their ids. */
    uses: (organizationId: OrganizationId, things: readonly ThingToMove[]) =>
      client.query<UseRow>(...USES(parameters(organizationId, things))),
    /** The agents among these things that name a skill by its slug, and all that name one of these skills so. */
    slugUses: (organizationId: OrganizationId, things: readonly ThingToMove[]) =>
      client.query<SlugUseRow>(...SLUG_USES(parameters(organizationId, things))),
    /** The skills with these slugs; each project and the organization may have one. */
    skillsOfSlugs: (organizationId: OrganizationId, slugs: readonly string[]) =>
      client.query<OwnedThingRow>(...SKILLS_OF_SLUGS({ organizationId, slugs: JSON.stringify(slugs) })),
  }
}
