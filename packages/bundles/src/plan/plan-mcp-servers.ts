import { type BundleMcpServer, McpServerId, type OrganizationId } from '@troupe/contract'
import { isForUrl } from '@troupe/operations/credentials/credential-hosts'
import type { McpServerRecord, NewMcpServer } from '@troupe/storage'
import type { Item } from '../read/bundle-items.ts'
import { BY_SLUG, type Planner, place } from '../resolve/planner.ts'
import type { CredentialLookup } from '../resolve/resolve-credentials.ts'
import type { Step } from '../resolve/step.ts'
import type { CredentialStep } from './plan-credentials.ts'
import type { ProjectLookup } from './plan-projects.ts'

const WRITTEN = ['slug', 'name', 'projectId', 'url', 'credentialId'] as const

export async function planMcpServers(
  planner: Planner,
  organizationId: OrganizationId,
  items: readonly Item<BundleMcpServer>[],
  stored: readonly McpServerRecord[],
  lookups: {
    projectOf: ProjectLookup
    credential: CredentialLookup
    /** The credentials in the bundle. */
    credentials: readonly CredentialStep[]
  },
): Promise<Step<NewMcpServer>[]> {
  const placed = await place(planner, McpServerId, items, stored, BY_SLUG)
  const described = new Set<string>(placed.map(({ id }) => id))
  for (const server of stored.filter(({ id }) => !described.has(id)))
    checkUse(planner, server, lookups.credentials)
  return placed.flatMap(({ item, stored: before, id }) => {
    const { value, path } = item
    const { slug, name, url } = value
    const report = (field: string, message: string) => planner.problems.add(`${path}.${field}`, message)
    if (!URL.canParse(url)) report('url', 'is not a URL')
    const projectId = lookups.projectOf(item)
    if (projectId === undefined) return []
    const credentialId = credentialOf(value, projectId, lookups.credential, report)
    const after: NewMcpServer = { id, organizationId, projectId, slug, name, url, credentialId }
    const changed = before === null || WRITTEN.some((field) => before[field] !== after[field])
    return [{ before, after, changed }]
  })
}

/** The id of the named credential; null without one, and for an unusable one, which is reported. */
function credentialOf(
  { credential: reference, url }: BundleMcpServer,
  projectId: NewMcpServer['projectId'],
  lookup: CredentialLookup,
  report: (field: string, message: string) => void,
): NewMcpServer['credentialId'] {
  if (reference == null) return null
  const credential = lookup(reference)
  if (credential === undefined) {
    report('credential', `is not a credential of this organization: ${reference}`)
  }
  if (!credential) return null
  // Agents of every project may use a server of the organization, and with it its credential.
  if (credential.projectId !== null && credential.projectId !== projectId) {
    report('credential', `belongs to a project, and the server does not belong to it: ${reference}`)
  }
  if (URL.canParse(url) && !isForUrl(credential, url)) {
    report('credential', `does not cover the host of the URL: ${reference}`)
  }
  return credential.id
}

/** Refuses a change of a credential with which a server outside the bundle could no longer use it. */
function checkUse(
  { problems }: Planner,
  server: McpServerRecord,
  credentials: readonly CredentialStep[],
): void {
  const step = credentials.find(({ after }) => after.id === server.credentialId)
  if (!step?.changed) return
  const { projectId } = step.after
  if (projectId !== null && projectId !== server.projectId) {
    problems.add(`${step.path}.project`, `must not change: the MCP server ${server.slug} uses the credential`)
  }
  if (!isForUrl(step.after, server.url)) {
    problems.add(`${step.path}.hosts`, `must cover the host of the MCP server ${server.slug}`)
  }
}
