import {
  CredentialId,
  checkedId,
  DomainError,
  type FieldError,
  type IdText,
  invalidRequest,
  type NewId,
  type OrganizationId,
  parseId,
} from '@troupe/contract'
import type { CreateCredentialBody, Credential, UpdateCredentialBody } from '@troupe/contract/builder'
import type { SecretBox } from '@troupe/secrets'
import type { CredentialRecord, Database, NewCredential, Readers } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { auditedCredential } from '../audit/audited-settings.ts'
import { askedProject, projectAfter } from '../changes/asked-project.ts'
import { auditChange } from '../changes/audit-change.ts'
import { requireUnused } from '../changes/require-unused.ts'
import { requireUsersWithin } from '../changes/require-users-within.ts'
import { requireVersion } from '../changes/require-version.ts'
import { namingTaken } from '../changes/unique-violation.ts'
import { Unchanged } from '../handlers/handler.ts'
import { requireShownName } from '../names/require-shown-name.ts'
import { credentialFaults } from './credential-faults.ts'
import { isForUrl } from './credential-hosts.ts'
import { mayUseCredential } from './may-use-credential.ts'
import { openedSecret, presentCredential } from './present-credential.ts'
import { credentialPlace } from './stored-credentials.ts'

/** Dependencies of the operations. */
export interface ChangeCredentialParts {
  database: Pick<Database, 'read' | 'transaction'>
  secretBox: SecretBox
  newId: NewId
}

/** @throws DomainError `validation_error` with every failure, `project_not_found`, `slug_taken`, `id_taken` */
export async function createCredential(
  { database, secretBox, newId }: ChangeCredentialParts,
  caller: BuilderCaller,
  body: CreateCredentialBody,
): Promise<Credential | Unchanged<Credential>> {
  const { organizationId } = caller
  const id: CredentialId =
    body.id === undefined ? newId(CredentialId) : checkedId(CredentialId, body.id.toLowerCase())
  return database.transaction(async (tx) => {
    // Of two requests with one id, the second finds the resource of the first.
    await tx.write.organizations.lock(organizationId)
    const existing = body.id === undefined ? null : await tx.read.builder.credentials.byId(organizationId, id)
    if (existing) return new Unchanged(presentCredential(secretBox, existing))
    refuse(credentialFaults(body))
    const record: NewCredential = {
      id,
      organizationId,
      projectId: await askedProject(tx.read, organizationId, body.projectId),
      slug: body.slug,
      name: body.name,
      kind: body.kind,
      username: body.username ?? null,
      field: body.field ?? null,
      sealedSecret: secretBox.seal(body.secret, credentialPlace(id)),
      hosts: hostsOf(body.hosts),
    }
    await namingTaken(tx.write.credentials.insert(record))
    await auditChange(tx, caller, 'credential', null, record, auditedCredential)
    return showCredential(tx.read, secretBox, organizationId, id)
  })
}

/**
 * Changes the given fields. The stored secret is kept if none is given, unless a host is added, to which it would be
 * sent.
 *
 * @throws DomainError `credential_not_found`, `version_conflict`, `validation_error` with every failure,
 * `project_not_found`, `slug_taken`
 */
export async function updateCredential(
  { database, secretBox }: ChangeCredentialParts,
  caller: BuilderCaller,
  credentialId: IdText<CredentialId>,
  body: UpdateCredentialBody,
): Promise<Credential> {
  const { organizationId } = caller
  return database.transaction(async (tx) => {
    await tx.write.organizations.lock(organizationId)
    const before = await findCredential(tx.read, organizationId, credentialId)
    await requireVersion(tx.read, caller, { ...before, kind: 'credential' }, body.version)
    requireShownName(body.name, before)
    const after = changed(secretBox, before, body)
    const projectId = await projectAfter(tx.read, before, body.projectId)
    const record = { ...after, projectId }
    refuse([...credentialFaults({ ...record, secret: body.secret }), ...addedHosts(before, record, body)])
    await requireServersCovered(tx.read, record)
    await requireUsersWithin(tx.read, before, projectId)
    await namingTaken(tx.write.credentials.update(record))
    const isReplaced = before.sealedSecret !== record.sealedSecret
    await auditChange(tx, caller, 'credential', before, record, (row) =>
      auditedCredential(row, isReplaced && row === record),
    )
    return showCredential(tx.read, secretBox, organizationId, before.id)
  })
}

/** @throws DomainError `credential_not_found`, or `in_use` naming its users */
export async function deleteCredential(
  { database }: Pick<ChangeCredentialParts, 'database'>,
  caller: BuilderCaller,
  credentialId: IdText<CredentialId>,
): Promise<void> {
  const { organizationId } = caller
  await database.transaction(async (tx) => {
    await tx.write.organizations.lock(organizationId)
    const before = await findCredential(tx.read, organizationId, credentialId)
    requireUnused(
      (await tx.read.builder.credentials.byId(organizationId, before.id))?.usedBy,
      'this credential',
    )
    await tx.write.credentials.delete(organizationId, before.id)
    await auditChange(tx, caller, 'credential', before, null, auditedCredential)
  })
}

/** The credential with names beside its ids. @throws DomainError `credential_not_found` */
export async function showCredential(
  { builder }: Pick<Readers, 'builder'>,
  box: SecretBox,
  organizationId: OrganizationId,
  credentialId: IdText<CredentialId>,
): Promise<Credential> {
  const id = parseId(CredentialId, credentialId)
  const row = id && (await builder.credentials.byId(organizationId, id))
  if (!row) throw credentialNotFound()
  return presentCredential(box, row)
}

/** @throws DomainError `credential_not_found`, including for credentials of other organizations */
export async function findCredential(
  { credentials }: Pick<Readers, 'credentials'>,
  organizationId: OrganizationId,
  credentialId: IdText<CredentialId>,
): Promise<CredentialRecord> {
  const id = parseId(CredentialId, credentialId)
  const found = id && (await credentials.byId(organizationId, id))
  if (!found) throw credentialNotFound()
  return found
}

function credentialNotFound(): DomainError {
  return new DomainError('credential_not_found', 'Credential not found in this organization.')
}

/** The record with the given fields. A changed kind drops the fields that only the previous kind has. */
function changed(box: SecretBox, before: CredentialRecord, body: UpdateCredentialBody): NewCredential {
  const kind = body.kind ?? before.kind
  const isSameKind = kind === before.kind
  const isSameSecret = body.secret === undefined || openedSecret(box, before) === body.secret
  const { id, organizationId, projectId } = before
  return {
    id,
    organizationId,
    projectId,
    slug: body.slug ?? before.slug,
    name: body.name ?? before.name,
    kind,
    username: body.username === undefined ? (isSameKind ? before.username : null) : body.username,
    field: body.field === undefined ? (isSameKind ? before.field : null) : body.field,
    sealedSecret:
      isSameSecret || body.secret === undefined
        ? before.sealedSecret
        : box.seal(body.secret, credentialPlace(id)),
    hosts: body.hosts === undefined ? before.hosts : hostsOf(body.hosts),
  }
}

function hostsOf(hosts: readonly string[]): string[] {
  return [...new Set(hosts.map((host) => host.toLowerCase()))]
}

/** Otherwise, an editor of a credential could read its secret by having it sent to a host of their own. */
function addedHosts(
  before: CredentialRecord,
  { hosts }: NewCredential,
  { secret }: UpdateCredentialBody,
): FieldError[] {
  const isCovered = (host: string) =>
    before.hosts.includes(host) || (!host.startsWith('*.') && isForUrl(before, `https://${host}`))
  if (secret !== undefined || hosts.every(isCovered)) return []
  return [{ path: 'secret', message: 'must be entered again, because a host was added' }]
}

/** @throws DomainError `validation_error` when a registered MCP server could no longer use the credential */
async function requireServersCovered(
  { mcpServers }: Pick<Readers, 'mcpServers'>,
  credential: NewCredential,
): Promise<void> {
  const servers = await mcpServers.list(credential.organizationId)
  refuse(
    servers
      .filter(({ credentialId }) => credentialId === credential.id)
      .flatMap((server) => [
        ...(isForUrl(credential, server.url)
          ? []
          : [{ path: 'hosts', message: `must cover the host of the MCP server ${server.name}` }]),
        ...(credential.projectId === null ||
        (server.projectId !== null && mayUseCredential(server.projectId, credential.projectId))
          ? []
          : [{ path: 'projectId', message: `must not change: the MCP server ${server.name} uses it` }]),
      ]),
  )
}

function refuse(errors: FieldError[]): void {
  if (errors.length > 0) throw invalidRequest(errors)
}
