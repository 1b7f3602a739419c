/** What one organization on the sandbox provider has beyond its API key. */
export interface SandboxTenant {
  key: string
  agentId: string
  agentConfig?: object
  concurrentRuns?: number
  workflows?: readonly object[]
}

/** A bundle with one organization, one agent and one API key without limits. */
export function sandboxBundle(tenant: SandboxTenant) {
  const { key, agentId, agentConfig = {}, concurrentRuns = 1_000, workflows = [] } = tenant
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
            providerId: 'sandbox',
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
