/** Properties of an organization besides its API key. It uses the sandbox provider unless it has a model server. */
export interface SandboxTenant {
  key: string
  agentId: string
  agentConfig?: object
  concurrentRuns?: number
  workflows?: readonly object[]
  /** A server that replaces the sandbox provider. */
  modelUrl?: string
}

/** A bundle with one organization, one agent and one API key without limits. */
export function sandboxBundle(tenant: SandboxTenant) {
  const { key, agentId, agentConfig = {}, concurrentRuns = 1_000, workflows = [], modelUrl } = tenant
  return {
    apiVersion: 'troupe/v1',
    organizations: [
      {
        slug: 'acme',
        name: 'Acme',
        limits: { rpm: 1_000_000, concurrentRuns },
        apiKeys: [{ name: 'k', secret: key }],
        llmConfigurations: [
          {
            slug: 'main',
            name: 'Main',
            ...(modelUrl === undefined
              ? { providerId: 'sandbox' }
              : { providerId: 'openai-compatible', baseUrl: modelUrl }),
            default: true,
            models: [{ modelId: 'sandbox-1' }],
          },
        ],
        agents: [{ slug: 'ada', name: 'Ada', id: agentId, status: 'active', config: agentConfig }],
        workflows,
      },
    ],
  }
}
