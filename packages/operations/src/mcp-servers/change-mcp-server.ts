import {
  CredentialId,
  checkedId,
  DomainError,
  type IdText,
  invalidField,
  McpServerId,
  type NewId,
  parseId,
} from '@troupe/contract'
import type { CreateMcpServerBody, McpServerDetails, UpdateMcpServerBody } from '@troupe/contract/builder'
import type { Database, NewMcpServer, Readers } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { auditedMcpServer } from '../audit/audited-settings.ts'
import { askedProject, projectAfter } from '../changes/asked-project.ts'
import { auditChange } from '../changes/audit-change.ts'
import { requireUnused } from '../changes/require-unused.ts'
import { requireUsersWithin } from '../changes/require-users-within.ts'
import { requireVersion } from '../changes/require-version.ts'
import { namingTaken } from '../changes/unique-violation.ts'
import { isForUrl } from '../credentials/credential-hosts.ts'
import { Unchanged } from '../handlers/handler.ts'
import { requireShownName } from '../names/require-shown-name.ts'
import { findMcpServer, showMcpServer } from './find-mcp-server.ts'

/** Dependencies of the operations. */
export interface ChangeMcpServerParts {
  database: Pick<Database, 'read' | 'transaction'>
  newId: NewId
}

/**
 * @throws DomainError `validation_error`, `project_not_found`, `credential_not_found`, `slug_taken`, `id_taken`
 */
export async function createMcpServer(
  { database, newId }: ChangeMcpServerParts,
  caller: BuilderCaller,
  body: CreateMcpServerBody,
): Promise<McpServerDetails | Unchanged<McpServerDetails>> {
  const { organizationId } = caller
  const id: McpServerId =
    body.id === undefined ? newId(McpServerId) : checkedId(McpServerId, body.id.toLowerCase())
  return database.transaction(async (tx) => {
    // Of two requests with one id, the second finds the resource of the first.
    await tx.write.organizations.lock(organizationId)
    const existing = body.id === undefined ? null : await tx.read.mcpServers.byId(organizationId, id)
    if (existing) return new Unchanged(await showMcpServer(tx.read, organizationId, id))
    const record: NewMcpServer = {
      id,
      organizationId,
      projectId: await askedProject(tx.read, organizationId, body.projectId),
      slug: body.slug,
      name: body.name,
      url: body.url,
      credentialId: idOf(body.credentialId ?? null),
    }
    await requireUsable(tx.read, record)
    await namingTaken(tx.write.mcpServers.insert(record))
    await auditChange(tx, caller, 'mcp_server', null, record, auditedMcpServer)
    return showMcpServer(tx.read, organizationId, id)
  })
}

/**
 * Changes the given fields.
 *
 * @throws DomainError `mcp_server_not_found`, `version_conflict`, `validation_error`, `project_not_found`,
 *   `credential_not_found`, `slug_taken`
 */
export async function updateMcpServer(
  { database }: Pick<ChangeMcpServerParts, 'database'>,
  caller: BuilderCaller,
  mcpServerId: IdText<McpServerId>,
  body: UpdateMcpServerBody,
): Promise<McpServerDetails> {
  const { organizationId } = caller
  return database.transaction(async (tx) => {
    await tx.write.organizations.lock(organizationId)
    const before = await findMcpServer(tx.read, organizationId, mcpServerId)
    await requireVersion(tx.read, caller, { ...before, kind: 'mcp_server' }, body.version)
    requireShownName(body.name, before)
    const after: NewMcpServer = {
      id: before.id,
      organizationId,
      projectId: await projectAfter(tx.read, before, body.projectId),
      slug: body.slug ?? before.slug,
      name: body.name ?? before.name,
      url: body.url ?? before.url,
      credentialId: body.credentialId === undefined ? before.credentialId : idOf(body.credentialId),
    }
    await requireUsable(tx.read, after)
    await requireUsersWithin(tx.read, before, after.projectId)
    await namingTaken(tx.write.mcpServers.update(after))
    await auditChange(tx, caller, 'mcp_server', before, after, auditedMcpServer)
    return showMcpServer(tx.read, organizationId, before.id)
  })
}

/** @throws DomainError `mcp_server_not_found`, or `in_use` naming its users */
export async function deleteMcpServer(
  { database }: Pick<ChangeMcpServerParts, 'database'>,
  caller: BuilderCaller,
  mcpServerId: IdText<McpServerId>,
): Promise<void> {
  const { organizationId } = caller
  await database.transaction(async (tx) => {
    await tx.write.organizations.lock(organizationId)
    const before = await findMcpServer(tx.read, organizationId, mcpServerId)
    requireUnused(
      (await tx.read.builder.mcpServers.byId(organizationId, before.id))?.usedBy,
      'this MCP server',
    )
    await tx.write.mcpServers.delete(organizationId, before.id)
    await auditChange(tx, caller, 'mcp_server', before, null, auditedMcpServer)
  })
}

/**
 * Checks the address, and that every user of the server may send the credential there.
 *
 * @throws DomainError `validation_error` or `credential_not_found`
 */
async function requireUsable(
  { credentials }: Pick<Readers, 'credentials'>,
  { organizationId, projectId, url, credentialId }: NewMcpServer,
): Promise<void> {
  if (!URL.canParse(url)) throw invalidField('url', 'is not a URL')
  if (credentialId === null) return
  const credential = await credentials.byId(organizationId, credentialId)
  if (!credential) {
    throw new DomainError('credential_not_found', 'Credential not found in this organization.', {
      errors: [{ path: 'credentialId', message: 'does not exist' }],
    })
  }
  // Agents of every project may use a server of the organization, and with it its credential.
  if (credential.projectId !== null && credential.projectId !== projectId) {
    throw invalidField('credentialId', 'belongs to a project that the server does not belong to')
  }
  if (!isForUrl(credential, url)) throw invalidField('credentialId', 'does not cover the host of the URL')
}

function idOf(credentialId: IdText<CredentialId> | null): NewMcpServer['credentialId'] {
  return credentialId === null ? null : parseId(CredentialId, credentialId)
}
