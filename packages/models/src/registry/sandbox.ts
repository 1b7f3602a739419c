import type { ProviderDefinition } from '../provider/provider.ts'

export const sandbox: ProviderDefinition = {
  description: {
    id: 'sandbox',
    label: 'Sandbox',
    summary: 'Canned answers without a network, for trying things out',
    baseUrl: 'none',
    credentials: [],
    settings: [],
  },
  protocol: () => null,
  optionsKey: () => 'sandbox',
  defaultOptions: () => ({}),
  sharedModels: false,
  hasManyVendors: true,
  modelList: null,
  async load(_connection, { clock }) {
    const { createSandboxModel } = await import('../sandbox/sandbox-model.ts')
    return (modelId, run) => createSandboxModel(modelId, run, clock)
  },
  async loadEmbeddings() {
    const { createSandboxEmbedding } = await import('../sandbox/sandbox-embedding.ts')
    return createSandboxEmbedding
  },
  async loadReranking() {
    const { createSandboxReranking } = await import('../sandbox/sandbox-reranking.ts')
    return createSandboxReranking
  },
}
