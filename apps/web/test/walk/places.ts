import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Read as text: the pages themselves are JSX, which the types of tests in Node do not know. */
const ROUTE_TABLE = join(import.meta.dirname, '..', '..', 'src', 'app', 'pages', 'pages.ts')

/** The paths of the route table, below the organization. */
function routePaths(): string[] {
  const table = readFileSync(ROUTE_TABLE, 'utf8')
  const paths = Array.from(table.matchAll(/path: '([^']+)'/g), ([, path = '']) => path)
  const pages = table.match(/load: /g)?.length ?? 0
  if (pages === 0 || paths.length !== pages) throw new Error('Each page of the route table has a path.')
  return paths
}

/** The addresses of a page in states that its path alone does not open. Tabs are found on the page. */
export const MORE_PLACES: Readonly<Record<string, readonly string[]>> = {
  'settings/models/new': ['settings/models/new?provider=openai-compatible'],
  agents: ['agents?q=nothing-is-called-this'],
  'workflows/$workflowId': ['workflows/{workflowId}?node=review'],
  'knowledge/$baseId': ['knowledge/{baseId}?tab=search&ask=right+to+left'],
  'skills/$skillId': ['skills/{skillId}?tab=versions&compare=1..2'],
  voice: ['voice?q=nothing-is-called-this', 'voice?create=1'],
  'voice/sessions': ['voice/sessions?state=in_flight'],
  phone: ['phone?q=nothing-is-called-this'],
  'runs/$runId': ['runs/{teamRunId}', 'runs/{workflowRunId}', 'runs/{waitingRunId}'],
  'reviews/$reviewId': ['reviews/{decidedId}'],
}

/** The place of a path: `agents/$agentId` is `agents/{agentId}`, with an id of {@link seedHostileOrganization}. */
const placeOf = (path: string) => (path === '/' ? '' : path.replaceAll(/\$(\w+)/g, '{$1}'))

/** The walk's places for each page of the route table: its own, then its further states. */
export const PLACES: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  routePaths().map((path) => [path, [placeOf(path), ...(MORE_PLACES[path] ?? [])]]),
)
