/**
 * The current name of an actor; null for the operator and the system, and when the user or the key is gone.
 *
 * @param kind, id the columns; ids of the log are texts that need not be UUIDs, and only a checked cast uses an index
 * @param organization limits keys to the row's own organization
 */
export function actorName(kind: string, id: string, organization: string): string {
  const uuid = checkedUuid(id)
  return `case ${kind}
    when 'user' then (select u.name from users u where u.id = ${uuid})
    when 'api_key' then (select k.name from api_keys k where k.organization_id = ${organization} and k.id = ${uuid}) end`
}

/** A text as a UUID; null for any other text. */
export function checkedUuid(text: string): string {
  return `case when ${text} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ${text}::uuid end`
}

/** An actor as JSON of `ChangedBy`; parameters as of {@link actorName}. */
export function namedActor(kind: string, id: string, organization: string): string {
  return `json_build_object('kind', ${kind}, 'id', ${id}, 'name', ${actorName(kind, id, organization)})`
}

/** The author of a version `v`, as JSON. */
export const VERSION_AUTHOR = namedActor('v.created_by_kind', 'v.created_by_id', 'v.organization_id')
