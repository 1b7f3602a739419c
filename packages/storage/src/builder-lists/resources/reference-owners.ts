/**
 * The owners of references, as a select over rows `r` of `config_references` with the columns of the row and `kind`,
 * `id`, `name`, `project_id`, `is_archived`. Deleted workflows refer to nothing until they are restored.
 *
 * @param where a condition on `r`
 */
export const referenceOwners = (organization: string, where: string) => `
  select r.target_kind, r.target_id, r.target_slug, r.path, r.owner_kind as kind, r.owner_id as id,
    coalesce(a.name, t.name, w.name, v.slug) as name, coalesce(a.project_id, t.project_id, w.project_id, v.project_id) as project_id,
    coalesce(a.status = 'archived', false) as is_archived
  from config_references r
  left join agents a on r.owner_kind = 'agent' and a.organization_id = r.organization_id and a.id = r.owner_id
  left join teams t on r.owner_kind = 'team' and t.organization_id = r.organization_id and t.id = r.owner_id
  left join workflows w on r.owner_kind = 'workflow' and w.organization_id = r.organization_id and w.id = r.owner_id
    and w.deleted_at is null
  left join voice_configurations v on r.owner_kind = 'voice_configuration' and v.organization_id = r.organization_id
    and v.id = r.owner_id
  where r.organization_id = ${organization} and coalesce(a.id, t.id, w.id, v.id) is not null and ${where}`

/** A common table expression `mentions`: the references to rows of `page` by id (of, kind, id, name). */
export const mentionsOf = (organization: string) => `mentions as materialized (
  select distinct o.target_id as of, o.kind, o.id, o.name
  from (${referenceOwners(organization, `r.target_id in (select wanted.id from page wanted)`)}) o
)`
