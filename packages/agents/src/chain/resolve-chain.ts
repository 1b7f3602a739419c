import { type AgentConfig, defaultModel, type ProjectId } from '@troupe/contract'
import type { CatalogModel, UsableLlmConfiguration } from '../ports/agent-catalog.ts'
import type { ModelChain, ModelTarget } from '../ports/chat-models.ts'
import { defaultConfiguration } from './default-configuration.ts'
import { unlistedModel } from './unlisted-model.ts'

type ConfiguredModel = AgentConfig['model']['fallbacks'][number]

/** A chain with the catalogue facts of its models, in the same order as its targets. */
export interface ResolvedChain {
  chain: ModelChain
  models: readonly (CatalogModel | null)[]
}

/** The properties of an agent or a team that determine which models it may call. */
export interface ModelOwner {
  projectId: ProjectId | null
  model: AgentConfig['model']
}

/**
 * An agent may use the configurations of the organization and of its own project; an organization-level agent
 * those of any project.
 */
function usableBy(owner: ModelOwner, configuration: UsableLlmConfiguration): boolean {
  return (
    owner.projectId === null ||
    configuration.projectId === null ||
    configuration.projectId === owner.projectId
  )
}

function target(
  configured: Omit<ConfiguredModel, 'on'>,
  configuration: UsableLlmConfiguration,
  on: ModelTarget['on'],
): { target: ModelTarget; model: CatalogModel | null } | null {
  const modelId = configured.model_id ?? defaultModel(configuration.models)?.modelId
  if (!modelId) return null
  const model = configuration.models.find((offered) => offered.modelId === modelId) ?? null
  return {
    model,
    target: {
      connection: configuration.connection,
      modelId,
      contextLength: model?.contextLength ?? null,
      on,
      parameters: {
        temperature: configured.temperature ?? null,
        topP: configured.top_p ?? null,
        maxOutputTokens: configured.max_output_tokens ?? null,
        seed: configured.seed ?? null,
        stopSequences: configured.stop_sequences ?? null,
        reasoningEffort: configured.reasoning_effort ?? null,
        providerOptions: configured.provider_options ?? {},
      },
    },
  }
}

/** The configuration that a link of the chain uses, and why it cannot be used; null if no such link is usable. */
function usedBy(
  { llm_config_id: id, model_id: modelId }: Pick<ConfiguredModel, 'llm_config_id' | 'model_id'>,
  owner: ModelOwner,
  usable: readonly UsableLlmConfiguration[],
): { configuration: UsableLlmConfiguration; unlisted: string | null } | null {
  if (id) {
    const configuration = usable.find((candidate) => candidate.id === id)
    return configuration ? { configuration, unlisted: null } : null
  }
  // A named configuration was checked when the link was saved; the default may have changed since.
  const configuration = defaultConfiguration(owner.projectId, usable)
  return configuration ? { configuration, unlisted: unlistedModel(configuration, modelId) } : null
}

/**
 * The failover chain of an agent or a managed lead from the connected configurations of its organization. Links whose
 * configuration has since been disconnected are omitted, so that a fallback can still answer; so are links without a
 * configuration whose model the default one does not offer. null if no link is usable: {@link chainProblem} says why.
 */
export function resolveChain(
  owner: ModelOwner,
  configurations: readonly UsableLlmConfiguration[],
): ResolvedChain | null {
  const usable = configurations.filter((configuration) => usableBy(owner, configuration))
  const { primary, fallbacks, retry, mid_stream } = owner.model
  const links = [{ ...primary, on: [] }, ...fallbacks].flatMap((configured) => {
    const used = usedBy(configured, owner, usable)
    const link = used?.unlisted === null && target(configured, used.configuration, configured.on ?? [])
    return link ? [link] : []
  })
  const [first, ...rest] = links
  if (!first) return null
  return {
    models: links.map((link) => link.model),
    chain: {
      targets: [first.target, ...rest.map((link) => link.target)],
      retry: {
        attemptsPerModel: retry.attempts_per_model,
        firstTokenTimeoutMs: retry.first_token_timeout_ms,
        idleTimeoutMs: retry.idle_timeout_ms,
        callTimeoutMs: retry.call_timeout_ms,
      },
      midStream: mid_stream,
    },
  }
}

/** Why {@link resolveChain} is null, as the rest of a sentence about the owner, without its full stop. */
export function chainProblem(owner: ModelOwner, configurations: readonly UsableLlmConfiguration[]): string {
  const usable = configurations.filter((configuration) => usableBy(owner, configuration))
  for (const link of [owner.model.primary, ...owner.model.fallbacks]) {
    const unlisted = usedBy(link, owner, usable)?.unlisted
    if (unlisted) return `uses the default LLM configuration, and its model ${link.model_id} ${unlisted}`
  }
  return 'has no connected LLM configuration with a model that it may use'
}
