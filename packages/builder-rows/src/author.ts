/** The id of the author where it is one; the operator and the server have none. */
const AUTHOR_ID = `case when v.created_by_id ~ '^[0-9a-f-]{36}$' then v.created_by_id::uuid end`

/** Who wrote a version `v`, with the name of the person or the key, as JSON. */
export const VERSION_AUTHOR = `json_build_object('kind', v.created_by_kind, 'id', v.created_by_id, 'name', case v.created_by_kind
    when 'user' then (select u.name from users u where u.id = ${AUTHOR_ID})
    when 'api_key' then (select k.name from api_keys k
      where k.organization_id = v.organization_id and k.id = ${AUTHOR_ID}) end)`
