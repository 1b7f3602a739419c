import { type Agent, LlmConfigId, newId, type ProviderId } from '@troupe/contract'
import { type ModelServer, startModelServer } from '@troupe/test-kit/model-server'
import { startTestServer, type TestAnswer, type TestServer } from '@troupe/test-kit/server'

/** A Troupe whose agents use a scripted server with the OpenAI protocol. */
export interface RunSetting extends AsyncDisposable {
  server: TestServer
  model: ModelServer
  /** The LLM configuration of the scripted server. */
  llmConfigId: LlmConfigId
  /** Creates an organization-level agent with this partial configuration below `config`. */
  agent(config?: Record<string, unknown>, more?: Record<string, unknown>): Promise<Agent>
  run(agentId: string, body: object | string, headers?: Record<string, string>): Promise<TestAnswer>
  /** Connects another configuration to a model server. */
  connect(modelUrl: string, contextLength?: number, providerId?: ProviderId): Promise<LlmConfigId>
}

type RunSettingOptions = Parameters<typeof startTestServer>[0] & {
  /** Whether agents may name models that the scripted configuration does not list; true by default. */
  allowUnlistedModels?: boolean
}

/** Starts both; every test file has its own. */
export async function startRunSetting({
  allowUnlistedModels = true,
  ...options
}: RunSettingOptions = {}): Promise<RunSetting> {
  await using resources = new AsyncDisposableStack()
  const model = resources.use(await startModelServer())
  const server = resources.use(await startTestServer(options))
  const connect = async (
    modelUrl: string,
    contextLength = 128_000,
    providerId: ProviderId = 'openai-compatible',
  ) => {
    const id = newId(LlmConfigId)
    await server.context.database.transaction(({ write }) =>
      write.llmConfigurations.insert({
        id,
        organizationId: server.seed.organizationId,
        projectId: null,
        slug: `model-${id.slice(0, 8)}`,
        name: 'Scripted',
        providerId,
        status: 'connected',
        isDefault: false,
        baseUrl: modelUrl,
        sealedCredentials: null,
        settings: {},
        allowUnlistedModels,
        models: [
          {
            modelId: 'scripted-1',
            displayName: 'Scripted 1',
            contextLength,
            maxOutputTokens: 4_096,
            toolChoice: true,
            inputUsdPerMillion: 1,
            cachedInputUsdPerMillion: null,
            cacheWriteUsdPerMillion: null,
            outputUsdPerMillion: 2,
          },
        ],
      }),
    )
    server.context.catalog.forget(server.seed.organizationId)
    return id
  }
  const llmConfigId = await connect(model.url)
  const owned = resources.move()
  return {
    server,
    model,
    llmConfigId,
    connect,
    async agent(config = {}, more = {}) {
      const given = config.model as Record<string, unknown> | undefined
      const primary = { llm_config_id: llmConfigId, ...(given?.primary as object) }
      const body = { name: 'Ada', ...more, config: { ...config, model: { ...given, primary } } }
      const created = await server.call('POST /api/v1/agents', { body })
      if (created.status !== 201) throw new Error(JSON.stringify(created.body))
      return created.body as Agent
    },
    run: (agentId, body, headers = {}) =>
      server.call(`POST /api/v1/agents/${agentId}/run`, { body, headers }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** The texts of a request to the model, by role. */
export function conversation(request: ModelServer['requests'][number] | undefined): string[] {
  return (request?.body.messages ?? []).map((message) => {
    const content = message.content as string | { text: string }[]
    const text = typeof content === 'string' ? content : content.map((part) => part.text).join('')
    return `${message.role}: ${text}`
  })
}
