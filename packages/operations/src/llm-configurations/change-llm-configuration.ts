import {
  checkedId,
  DomainError,
  type IdText,
  LlmConfigId,
  type NewId,
  type OrganizationId,
  parseId,
} from '@troupe/contract'
import type {
  CreateLlmConfigurationBody,
  LlmConfiguration,
  UpdateLlmConfigurationBody,
} from '@troupe/contract/builder'
import type { SecretBox } from '@troupe/secrets'
import type {
  Database,
  LlmConfigurationRecord,
  Readers,
  Transaction,
  WrittenLlmConfiguration,
} from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { auditedLlmConfiguration } from '../audit/audited-settings.ts'
import type { ConfigChanges } from '../catalog/config-changes.ts'
import { askedProject, projectAfter } from '../changes/asked-project.ts'
import { auditChange } from '../changes/audit-change.ts'
import { requireUsersWithin } from '../changes/require-users-within.ts'
import { requireVersion } from '../changes/require-version.ts'
import { namingTaken } from '../changes/unique-violation.ts'
import { Unchanged } from '../handlers/handler.ts'
import { requireShownName } from '../names/require-shown-name.ts'
import { toCatalogModel } from './catalog-model.ts'
import { describedConnection } from './connection.ts'
import { openCredentials, sealCredentials } from './credentials.ts'
import { presentLlmConfiguration } from './present-llm-configuration.ts'

/** Dependencies of the operations. */
export interface ChangeLlmConfigurationParts {
  database: Pick<Database, 'read' | 'transaction'>
  configChanges: ConfigChanges
  secretBox: SecretBox
  newId: NewId
  now: () => number
}

/** @throws DomainError `validation_error` with every failure, `project_not_found`, `slug_taken`, `id_taken` */
export async function createLlmConfiguration(
  { database, configChanges, secretBox, newId, now }: ChangeLlmConfigurationParts,
  caller: BuilderCaller,
  body: CreateLlmConfigurationBody,
): Promise<LlmConfiguration | Unchanged<LlmConfiguration>> {
  const { organizationId } = caller
  const id: LlmConfigId =
    body.id === undefined ? newId(LlmConfigId) : checkedId(LlmConfigId, body.id.toLowerCase())
  const created = await database.transaction(async (tx) => {
    // Of two requests with one id, the second finds the resource of the first.
    await tx.write.organizations.lock(organizationId)
    const existing =
      body.id === undefined ? null : await tx.read.builder.llmConfigurations.byId(organizationId, id)
    if (existing) return new Unchanged(presentLlmConfiguration(secretBox, existing))
    const { credentials, ...connection } = describedConnection(secretBox, null, body)
    const record: WrittenLlmConfiguration = {
      id,
      organizationId,
      projectId: await askedProject(tx.read, organizationId, body.projectId),
      slug: body.slug,
      name: body.name,
      status: body.status ?? 'connected',
      isDefault: body.default ?? false,
      ...connection,
      sealedCredentials: sealCredentials(secretBox, id, credentials),
      credentialsSetAt: setNow(Object.keys(credentials), {}, now()),
      models: body.models.map(toCatalogModel),
      allowUnlistedModels: body.allowUnlistedModels ?? false,
    }
    await endFormerDefault(tx, caller, record)
    await namingTaken(tx.write.llmConfigurations.insert(record))
    await auditChange(tx, caller, 'llm_configuration', null, record, auditedLlmConfiguration)
    return show(tx.read, secretBox, organizationId, id)
  })
  configChanges.committed(organizationId)
  return created
}

/**
 * Changes the given fields; absent credentials keep the stored ones.
 *
 * @throws DomainError `llm_configuration_not_found`, `version_conflict`, `validation_error` with every failure,
 * `project_not_found`, `slug_taken`
 */
export async function updateLlmConfiguration(
  { database, configChanges, secretBox, now }: ChangeLlmConfigurationParts,
  caller: BuilderCaller,
  llmConfigId: IdText<LlmConfigId>,
  body: UpdateLlmConfigurationBody,
): Promise<LlmConfiguration> {
  const { organizationId } = caller
  const updated = await database.transaction(async (tx) => {
    await tx.write.organizations.lock(organizationId)
    const before = await findLlmConfiguration(tx.read, organizationId, llmConfigId)
    await requireVersion(tx.read, caller, { kind: 'llm_configuration', ...before }, body.version)
    requireShownName(body.name, before)
    const { credentials, ...connection } = describedConnection(secretBox, before, body)
    const kept = openCredentials(secretBox, before)
    const changed = Object.keys(credentials).filter((name) => kept?.[name] !== credentials[name])
    const isSame =
      changed.length === 0 && Object.keys(kept ?? { '': '' }).every((name) => name in credentials)
    const after: WrittenLlmConfiguration = {
      ...before,
      projectId: await projectAfter(tx.read, before, body.projectId),
      slug: body.slug ?? before.slug,
      name: body.name ?? before.name,
      status: body.status ?? before.status,
      isDefault: body.default ?? before.isDefault,
      ...connection,
      sealedCredentials: isSame
        ? before.sealedCredentials
        : sealCredentials(secretBox, before.id, credentials),
      credentialsSetAt: isSame
        ? before.credentialsSetAt
        : setNow(changed, pick(before.credentialsSetAt, Object.keys(credentials)), now()),
      models: body.models?.map(toCatalogModel) ?? before.models,
      allowUnlistedModels: body.allowUnlistedModels ?? before.allowUnlistedModels,
    }
    await requireUsersWithin(tx.read, before, after.projectId)
    await endFormerDefault(tx, caller, after)
    await namingTaken(tx.write.llmConfigurations.update(after))
    await auditChange(tx, caller, 'llm_configuration', before, after, (row) => ({
      ...auditedLlmConfiguration(row),
      ...(!isSame && row === after && { secretChanged: true }),
    }))
    return show(tx.read, secretBox, organizationId, before.id)
  })
  configChanges.committed(organizationId)
  return updated
}

/** @throws DomainError `llm_configuration_not_found`, or `llm_configuration_in_use` naming its users */
export async function deleteLlmConfiguration(
  { database, configChanges }: ChangeLlmConfigurationParts,
  caller: BuilderCaller,
  llmConfigId: IdText<LlmConfigId>,
): Promise<void> {
  const { organizationId } = caller
  await database.transaction(async (tx) => {
    await tx.write.organizations.lock(organizationId)
    const before = await findLlmConfiguration(tx.read, organizationId, llmConfigId)
    const usedBy = (await tx.read.builder.llmConfigurations.byId(organizationId, before.id))?.usedBy ?? []
    const [first] = usedBy
    if (first) {
      const more = usedBy.length - 1
      const others =
        more === 0 ? ' still uses' : ` and ${more === 1 ? 'one other' : `${more} others`} still use`
      const text = `${KINDS[first.kind]} ${first.name}${others} this LLM configuration.`
      // Agents that name no configuration would run with another provider, or with none at all.
      const way = before.isDefault ? ' It is the default: make another one the default first.' : ''
      throw new DomainError('llm_configuration_in_use', `${text}${way}`)
    }
    await tx.write.llmConfigurations.delete(organizationId, before.id)
    await auditChange(tx, caller, 'llm_configuration', before, null, auditedLlmConfiguration)
  })
  configChanges.committed(organizationId)
}

const KINDS = {
  agent: 'The agent',
  team: 'The team',
  workflow: 'The workflow',
  knowledge_base: 'The knowledge base',
  mcp_server: 'The MCP server',
} as const

/** @throws DomainError `llm_configuration_not_found`, including for configurations of other organizations */
export async function findLlmConfiguration(
  { llmConfigurations }: Pick<Readers, 'llmConfigurations'>,
  organizationId: OrganizationId,
  llmConfigId: IdText<LlmConfigId>,
): Promise<LlmConfigurationRecord> {
  const id = parseId(LlmConfigId, llmConfigId)
  const found = id && (await llmConfigurations.list(organizationId)).find((one) => one.id === id)
  if (!found) throw llmConfigurationNotFound()
  return found
}

/** The configuration with names beside its ids. @throws DomainError `llm_configuration_not_found` */
export async function show(
  { builder }: Pick<Readers, 'builder'>,
  box: SecretBox,
  organizationId: OrganizationId,
  llmConfigId: IdText<LlmConfigId>,
): Promise<LlmConfiguration> {
  const id = parseId(LlmConfigId, llmConfigId)
  const row = id && (await builder.llmConfigurations.byId(organizationId, id))
  if (!row) throw llmConfigurationNotFound()
  return presentLlmConfiguration(box, row)
}

function llmConfigurationNotFound(): DomainError {
  const text = 'LLM configuration not found in this organization.'
  return new DomainError('llm_configuration_not_found', text)
}

/** Each project, and the organization level, has one default. */
async function endFormerDefault(
  tx: Transaction,
  caller: BuilderCaller,
  next: WrittenLlmConfiguration,
): Promise<void> {
  if (!next.isDefault) return
  for (const former of await tx.read.llmConfigurations.list(caller.organizationId)) {
    if (!former.isDefault || former.id === next.id || former.projectId !== next.projectId) continue
    const after = { ...former, isDefault: false }
    await tx.write.llmConfigurations.update(after)
    await auditChange(tx, caller, 'llm_configuration', former, after, auditedLlmConfiguration)
  }
}

function setNow(
  names: readonly string[],
  before: Readonly<Record<string, string>>,
  now: number,
): Record<string, string> {
  const at = new Date(now).toISOString()
  return { ...before, ...Object.fromEntries(names.map((name) => [name, at])) }
}

function pick(times: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(times).filter(([name]) => names.includes(name)))
}
