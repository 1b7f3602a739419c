import { randomUUID } from 'node:crypto'
import type { Scope } from '@troupe/agents/ports'
import { type AgentConfig, ApiKeyId, LlmConfigId, newId, OrganizationId, ProjectId } from '@troupe/contract'
import { agentRecord } from '@troupe/test-kit/agent-record'

import type { Actor } from '../../src/audit/port.ts'
import type { Database } from '../../src/database.ts'
import type { LlmConfigurationRecord } from '../../src/llm-configurations/port.ts'
import type { AgentRecord } from '../../src/runnables/stored-port.ts'

/** The database under test, opened by the runner. */
export type Subject = () => Database

export const SYSTEM: Actor = { kind: 'system', id: null, ip: null, requestId: null }

type NewAgent = Omit<AgentRecord, 'versionId' | 'createdAt' | 'updatedAt'>
type NewLlm = Omit<LlmConfigurationRecord, 'version' | 'createdAt' | 'updatedAt' | 'credentialsSetAt'>

/** A separate organization for one test, with two projects and one API key. */
export interface Tenant {
  organizationId: OrganizationId
  projectA: ProjectId
  projectB: ProjectId
  apiKeyId: ApiKeyId
  secretHash: string
  scope: Scope
  agent(changes?: Partial<NewAgent>): NewAgent
  llm(changes?: Partial<NewLlm>): NewLlm
}

export async function createTenant(db: Database): Promise<Tenant> {
  const organizationId = newId(OrganizationId)
  const [projectA, projectB, apiKeyId] = [newId(ProjectId), newId(ProjectId), newId(ApiKeyId)]
  const secretHash = randomUUID()
  await db.transaction(async ({ write }) => {
    await write.organizations.put({
      id: organizationId,
      slug: organizationId,
      name: 'Acme',
      rpm: 1000,
      concurrentRuns: 20,
    })
    await write.projects.put({ id: projectA, organizationId, slug: 'a', name: 'A' })
    await write.projects.put({ id: projectB, organizationId, slug: 'b', name: 'B' })
    await write.apiKeys.insert({
      id: apiKeyId,
      organizationId,
      projectId: null,
      name: 'ci',
      secretHash,
      rpm: null,
      expiresAt: null,
      revokedAt: null,
    })
  })
  return {
    organizationId,
    projectA,
    projectB,
    apiKeyId,
    secretHash,
    scope: { organizationId, projectId: null },
    agent: (changes) =>
      agentRecord({
        ...{ organizationId, name: 'Writer', status: 'draft' },
        config: { instructions: 'You write.' } as AgentConfig,
        ...changes,
      }),
    llm: (changes) => ({
      id: newId(LlmConfigId),
      organizationId,
      projectId: null,
      slug: randomUUID(),
      name: 'Main',
      providerId: 'sandbox',
      status: 'connected',
      isDefault: false,
      baseUrl: null,
      sealedCredentials: null,
      settings: {},
      models: [],
      allowUnlistedModels: false,
      ...changes,
    }),
  }
}
