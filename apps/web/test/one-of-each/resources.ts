import type { Maker } from './maker.ts'

/** Texts that no bundle may have. */
export const SECRETS = {
  main: 'sk-main-6f1d0c2b9a',
  spare: 'sk-spare-0b7e44d1c3',
  header: 'gateway-4d20b7f6aa',
  shop: 'shop-secret-93c1f8e2',
  crm: 'crm-secret-77ab02de',
  search: 'search-secret-51ff0e9c',
  speech: 'speech-secret-08de41b7',
  carrier: 'carrier-password-2c9a',
  form: 'form-password-5e1b',
} as const

/** The resources referred to by agents, teams and workflows, by id. */
export interface Resources {
  project: string
  llms: { main: string; spare: string }
  credentials: { shop: string; crm: string; search: string; speech: string }
  server: string
  base: string
  skill: string
}

const model = (modelId: string, displayName: string) => ({
  ...{ modelId, displayName, contextLength: 32_000, maxOutputTokens: 2_000, toolChoice: false },
  ...{ inputUsdPerMillion: 0.5, cachedInputUsdPerMillion: 0.125, cacheWriteUsdPerMillion: 0.625 },
  ...{ outputUsdPerMillion: 2, kind: 'chat' },
})

/** A project with models, credentials, an MCP server, documents, a skill, a key and budgets. */
export async function makeResources(maker: Maker): Promise<Resources> {
  const project = await maker.make('createProject', 'projectId', { slug: 'shop', name: 'Shop' })
  const llms = await makeModels(maker, project)
  const credential = (slug: string, body: object) =>
    maker.make('createCredential', 'credentialId', { slug, name: `Credential ${slug}`, ...body })
  const credentials = {
    shop: await credential('shop-api', {
      ...{ projectId: project, kind: 'basic', username: 'troupe', secret: SECRETS.shop },
      hosts: ['api.shop.example', '*.shop.example'],
    }),
    crm: await credential('crm', {
      ...{ kind: 'header', field: 'x-crm-key', secret: SECRETS.crm, hosts: ['crm.example'] },
    }),
    search: await credential('web', {
      ...{ kind: 'bearer', secret: SECRETS.search, hosts: ['api.tavily.com'] },
    }),
    speech: await credential('speech', {
      ...{ kind: 'bearer', secret: SECRETS.speech },
      hosts: ['api.deepgram.com', 'api.elevenlabs.io', 'speech.example'],
    }),
  }
  const server = await maker.make('createMcpServer', 'mcpServerId', {
    ...{ slug: 'tickets', name: 'Tickets', projectId: project, url: 'https://crm.example/mcp' },
    credentialId: credentials.crm,
  })
  const base = await makeKnowledge(maker, project, llms.main)
  const skill = await maker.make('uploadSkill', 'skillId', {
    projectId: project,
    mustBeNew: true,
    files: {
      'SKILL.md':
        '---\nname: refunds\ndescription: Decides about refunds.\nallowed-tools: calculator\n---\nAsk for the order first: $' +
        '{ORDER}.\n',
      'references/rules.md': '# Rules\n\nThirty days.\n',
    },
  })
  const orders = await maker.make('uploadSkill', 'skillId', {
    files: { 'SKILL.md': '---\nname: orders\ndescription: Finds orders.\n---\nAsk for the number.\n' },
  })
  // A change of the stored one: a bundle has the newest version.
  await maker.ask(
    'uploadSkill',
    {},
    {
      skillId: orders,
      baseVersion: 1,
      files: { 'SKILL.md': '---\nname: orders\ndescription: Finds orders.\n---\nAsk for number and date.\n' },
    },
  )
  await makeLimits(maker, project)
  return { project, llms, credentials, server, base, skill }
}

async function makeModels(maker: Maker, projectId: string): Promise<Resources['llms']> {
  return {
    main: await maker.make('createLlmConfiguration', 'llmConfigId', {
      ...{ slug: 'main', name: 'Main', providerId: 'openai-compatible', status: 'connected', default: true },
      baseUrl: 'https://models.example/v1',
      settings: { headers: { 'x-gateway': SECRETS.header } },
      models: [model('writer-1', 'Writer One'), model('embed-1', 'Embedder'), model('rerank-1', 'Reranker')],
      allowUnlistedModels: true,
      credentials: { apiKey: SECRETS.main },
    }),
    spare: await maker.make('createLlmConfiguration', 'llmConfigId', {
      ...{ slug: 'spare', name: 'Spare', projectId, providerId: 'openai', settings: { api: 'chat' } },
      ...{ models: [model('writer-2', 'Writer Two')], credentials: { apiKey: SECRETS.spare } },
    }),
  }
}

async function makeKnowledge(maker: Maker, projectId: string, llmConfigId: string): Promise<string> {
  const base = await maker.make('createKnowledgeBase', 'knowledgeBaseId', {
    ...{ name: 'Handbook', projectId, lang: 'german', chunk_tokens: 300, overlap_tokens: 40 },
    embedding: { llm_config_id: llmConfigId, model_id: 'embed-1' },
  })
  const add = (body: object) => maker.ask('addKnowledgeDocument', { knowledgeBaseId: base }, body)
  await add({ name: 'returns.md', text: '# Returns\n\nWithin 30 days: yes.\n', metadata: { lang: 'de' } })
  await add({ url: 'https://shop.example/faq', metadata: { lang: 'en' } })
  return base
}

async function makeLimits(maker: Maker, projectId: string): Promise<void> {
  await maker.ask(
    'createApiKey',
    {},
    { name: 'Website', projectId, rpm: 60, expiresAt: '2031-01-01T00:00:00.000Z' },
  )
  for (const metric of ['workflow_runs', 'llm_tokens', 'llm_cost_usd', 'voice_minutes'])
    await maker.ask('setBudget', {}, { metric, limit: 1_234.5 })
  await maker.ask('setBudget', {}, { metric: 'llm_cost_usd', limit: 12.345678, projectId })
}
