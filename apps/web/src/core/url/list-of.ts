const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** Path segments of resources without their own list: `/tools/servers/{id}` belongs to `/tools`. */
const WITHOUT_LIST: ReadonlySet<string> = new Set(['servers', 'trunks'])

/** The path of the list that the thing at this path belongs to; null: the page is not that of one thing. */
export function listOf(pathname: string): string | null {
  const segments = pathname.split('/')
  if (segments.length < 5 || !ID.test(segments.at(-1) ?? '')) return null
  const above = segments.slice(0, -1)
  return (WITHOUT_LIST.has(above.at(-1) ?? '') ? above.slice(0, -1) : above).join('/')
}

/** Back does not reopen a dialog above a list. */
const OPENED = ['create', 'example', 'import', 'connect', 'change', 'approval']

/**
 * The search parameters that restore a list, in the current project, because the next created resource belongs to it.
 *
 * @param left the parameters with which the list was left
 */
export function searchOfList(left: string, project: string | null): string {
  const kept = new URLSearchParams(left)
  for (const name of OPENED) kept.delete(name)
  if (project === null) kept.delete('project')
  else kept.set('project', project)
  return kept.size === 0 ? '' : `?${kept}`
}
