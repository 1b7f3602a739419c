import { AgentId, ApiKeyId, LlmConfigId, newId, OrganizationId, ProjectId } from '@troupe/contract'
import { hashApiKeySecret, mintApiKeySecret } from '@troupe/secrets'
import type { Actor, Database, LlmConfigurationRecord, Writers } from '@troupe/storage'
import { agentRecord } from '../records/agent-record.ts'

const SEEDER: Actor = { kind: 'system', id: null, ip: null, requestId: null }
const SANDBOX_MODEL = {
  modelId: 'sandbox-1',
  displayName: 'Sandbox 1',
  contextLength: 128_000,
  maxOutputTokens: 8_192,
  toolChoice: true,
  inputUsdPerMillion: null,
  cachedInputUsdPerMillion: null,
  cacheWriteUsdPerMillion: null,
  outputUsdPerMillion: null,
}

/**
 * Two organizations with every kind of resource that access rules distinguish. Keys are secrets, the rest are
 * ids.
 */
export interface Seed {
  organizationId: OrganizationId
  /** The project of `keys.project` and of `agents.project`. */
  projectId: ProjectId
  otherProjectId: ProjectId
  otherOrganizationId: OrganizationId
  otherOrganizationProjectId: ProjectId
  keys: {
    organization: string
    project: string
    otherProject: string
    expired: string
    revoked: string
    /** 3 requests per window. */
    limited: string
    otherOrganization: string
  }
  llm: {
    organization: LlmConfigId
    project: LlmConfigId
    otherProject: LlmConfigId
    disconnected: LlmConfigId
    otherOrganization: LlmConfigId
  }
  agents: {
    organization: AgentId
    project: AgentId
    otherProject: AgentId
    otherOrganization: AgentId
  }
}

/** Requests per window of `keys.limited`. */
export const LIMITED_KEY_RPM = 3

/** Inserts the seed; every call creates a new one with fresh ids and secrets. */
export async function seedDatabase(
  database: Database,
  options: { organizationRpm?: number } = {},
): Promise<Seed> {
  const seed = newSeed()
  const { organizationId, otherOrganizationId } = seed
  await database.transaction(async ({ write }) => {
    for (const id of [organizationId, otherOrganizationId]) {
      const slug = `org-${id.slice(0, 8)}`
      const rpm = options.organizationRpm ?? 100_000
      await write.organizations.put({ id, slug, name: slug, rpm, concurrentRuns: 20 })
    }
    await writeProjects(write, seed)
    await writeKeys(write, seed)
    await writeLlmConfigurations(write, seed)
    await writeAgents(write, seed)
  })
  return seed
}

function newSeed(): Seed {
  return {
    organizationId: newId(OrganizationId),
    projectId: newId(ProjectId),
    otherProjectId: newId(ProjectId),
    otherOrganizationId: newId(OrganizationId),
    otherOrganizationProjectId: newId(ProjectId),
    keys: {
      organization: mintApiKeySecret(),
      project: mintApiKeySecret(),
      otherProject: mintApiKeySecret(),
      expired: mintApiKeySecret(),
      revoked: mintApiKeySecret(),
      limited: mintApiKeySecret(),
      otherOrganization: mintApiKeySecret(),
    },
    llm: {
      organization: newId(LlmConfigId),
      project: newId(LlmConfigId),
      otherProject: newId(LlmConfigId),
      disconnected: newId(LlmConfigId),
      otherOrganization: newId(LlmConfigId),
    },
    agents: {
      organization: newId(AgentId),
      project: newId(AgentId),
      otherProject: newId(AgentId),
      otherOrganization: newId(AgentId),
    },
  }
}

async function writeProjects(write: Writers, seed: Seed): Promise<void> {
  const { organizationId, otherOrganizationId } = seed
  await write.projects.put({ id: seed.projectId, organizationId, slug: 'mine', name: 'Mine' })
  await write.projects.put({ id: seed.otherProjectId, organizationId, slug: 'other', name: 'Other' })
  await write.projects.put({
    id: seed.otherOrganizationProjectId,
    organizationId: otherOrganizationId,
    slug: 'theirs',
    name: 'Theirs',
  })
}

async function writeKeys(write: Writers, { keys, ...seed }: Seed): Promise<void> {
  const insert = (
    secret: string,
    name: string,
    given: Partial<Parameters<Writers['apiKeys']['insert']>[0]> = {},
  ) =>
    write.apiKeys.insert({
      id: newId(ApiKeyId),
      organizationId: seed.organizationId,
      projectId: null,
      name,
      secretHash: hashApiKeySecret(secret),
      rpm: null,
      expiresAt: null,
      revokedAt: null,
      ...given,
    })
  await insert(keys.organization, 'organization')
  await insert(keys.project, 'project', { projectId: seed.projectId })
  await insert(keys.otherProject, 'other project', { projectId: seed.otherProjectId })
  await insert(keys.expired, 'expired', { expiresAt: new Date(Date.now() - 1_000) })
  await insert(keys.revoked, 'revoked', { revokedAt: new Date(Date.now() - 1_000) })
  await insert(keys.limited, 'limited', { rpm: LIMITED_KEY_RPM })
  await insert(keys.otherOrganization, 'other organization', { organizationId: seed.otherOrganizationId })
}

async function writeLlmConfigurations(write: Writers, { llm, ...seed }: Seed): Promise<void> {
  const insert = (id: LlmConfigId, name: string, given: Partial<LlmConfigurationRecord> = {}) =>
    write.llmConfigurations.insert({
      id,
      organizationId: seed.organizationId,
      projectId: null,
      slug: name,
      name,
      providerId: 'sandbox',
      status: 'connected',
      isDefault: name === 'organization',
      baseUrl: null,
      sealedCredentials: null,
      settings: {},
      models: [SANDBOX_MODEL],
      allowUnlistedModels: false,
      ...given,
    })
  await insert(llm.organization, 'organization')
  await insert(llm.project, 'project', { projectId: seed.projectId })
  await insert(llm.otherProject, 'other-project', { projectId: seed.otherProjectId })
  await insert(llm.disconnected, 'disconnected', { status: 'disconnected' })
  await insert(llm.otherOrganization, 'theirs', { organizationId: seed.otherOrganizationId })
}

async function writeAgents(write: Writers, { agents, ...seed }: Seed): Promise<void> {
  const insert = (id: AgentId, name: string, organizationId: OrganizationId, projectId: ProjectId | null) =>
    write.agents.insert(agentRecord({ id, organizationId, projectId, name }), SEEDER)
  const { organizationId, otherOrganizationId } = seed
  await insert(agents.organization, 'Organization agent', organizationId, null)
  await insert(agents.project, 'Project agent', organizationId, seed.projectId)
  await insert(agents.otherProject, 'Other project agent', organizationId, seed.otherProjectId)
  await insert(agents.otherOrganization, 'Their agent', otherOrganizationId, null)
}
