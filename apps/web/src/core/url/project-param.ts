const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The id of the project in `?project=`; null without one, and for a text that is not an id. */
export function projectIn(search: string): string | null {
  const id = new URLSearchParams(search).get('project')
  return id !== null && UUID.test(id) ? id : null
}

/** The same place for all projects. */
export function withoutProject(pathname: string, search: string): string {
  const query = new URLSearchParams(search)
  query.delete('project')
  return query.size === 0 ? pathname : `${pathname}?${query}`
}
