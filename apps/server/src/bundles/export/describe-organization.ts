import type {
  BundleAgent,
  BundleApiKey,
  BundleLlmConfiguration,
  BundleModel,
  BundleOrganization,
} from '@troupe/contract'
import type { AgentRecord, ApiKeyRecord, LlmConfigurationRecord } from '@troupe/database'
import type { CatalogModel } from '@troupe/runtime/ports'
import { wholeConfig } from '../plan/plan-agents.ts'
import { configDifference } from './config-difference.ts'
import { deriveSlug } from './derive-slug.ts'
import type { WholeOrganization } from './read-everything.ts'

type Slugs = ReadonlyMap<string | null, string>

/** An organization as a bundle says it, in an order that does not depend on the database. */
export function describeOrganization(whole: WholeOrganization): BundleOrganization {
  const { id, slug, name, rpm, concurrentRuns } = whole.organization
  const projects: Slugs = new Map(whole.projects.map((project) => [project.id, project.slug]))
  const llms: Slugs = new Map(whole.llmConfigurations.map((llm) => [llm.id, llm.slug]))
  const taken = new Set(whole.agents.flatMap((agent) => agent.slug ?? []))
  return {
    slug,
    name,
    id,
    limits: { rpm, concurrentRuns },
    projects: whole.projects
      .map((project) => ({ slug: project.slug, name: project.name, id: project.id }))
      .toSorted(by('slug')),
    apiKeys: whole.apiKeys.map((key) => describeKey(key, projects)).toSorted(by('name')),
    llmConfigurations: whole.llmConfigurations
      .map((configuration) => describeLlmConfiguration(configuration, projects))
      .toSorted(by('slug')),
    agents: whole.agents
      .map((agent) =>
        describeAgent({ ...agent, slug: agent.slug ?? deriveSlug(agent.name, taken) }, projects, llms),
      )
      .toSorted(by('slug')),
  }
}

function by<K extends string>(key: K) {
  return (a: { [P in K]: string } & { id?: string }, b: { [P in K]: string } & { id?: string }) =>
    a[key] < b[key] || (a[key] === b[key] && (a.id ?? '') < (b.id ?? '')) ? -1 : 1
}

/** Names the project; nothing at the organization level, which is the default. */
function projectOf(projectId: string | null, projects: Slugs): { project?: string } {
  const project = projects.get(projectId)
  return project === undefined ? {} : { project }
}

function describeKey(key: ApiKeyRecord, projects: Slugs): BundleApiKey {
  return {
    name: key.name,
    id: key.id,
    ...projectOf(key.projectId, projects),
    ...(key.rpm === null ? {} : { rpm: key.rpm }),
    ...(key.expiresAt === null ? {} : { expiresAt: key.expiresAt.toISOString() }),
    // Saying nothing keeps what is stored, so an old export never brings a key back that was revoked since.
    ...(key.revokedAt === null ? {} : { revoked: true }),
  }
}

function describeLlmConfiguration(
  configuration: LlmConfigurationRecord,
  projects: Slugs,
): BundleLlmConfiguration {
  const { slug, name, id, projectId, providerId, status, isDefault, baseUrl, settings, models } =
    configuration
  return {
    slug,
    name,
    id,
    ...projectOf(projectId, projects),
    providerId,
    status,
    ...(isDefault ? { default: true } : {}),
    ...(baseUrl === null ? {} : { baseUrl }),
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
    models: models.map(describeModel),
  }
}

function describeModel(model: CatalogModel): BundleModel {
  const { modelId, displayName, contextLength, maxOutputTokens, toolChoice } = model
  const { inputUsdPerMillion, cachedInputUsdPerMillion, outputUsdPerMillion } = model
  return {
    modelId,
    ...(displayName === modelId ? {} : { displayName }),
    contextLength,
    maxOutputTokens,
    ...(inputUsdPerMillion === null ? {} : { inputUsdPerMillion }),
    ...(cachedInputUsdPerMillion === null ? {} : { cachedInputUsdPerMillion }),
    ...(outputUsdPerMillion === null ? {} : { outputUsdPerMillion }),
    ...(toolChoice ? {} : { toolChoice }),
  }
}

function describeAgent(agent: AgentRecord & { slug: string }, projects: Slugs, llms: Slugs): BundleAgent {
  const { slug, name, id, projectId, status, description } = agent
  const config = configDifference(wholeConfig(agent.config))
  return {
    slug,
    name,
    id,
    ...projectOf(projectId, projects),
    status,
    ...(description === null ? {} : { description }),
    ...(Object.keys(config).length === 0 ? {} : { config: withSlugs(config, llms) }),
  }
}

/** `llm_config_id` as `llm_config: <slug>` where the configuration exists. */
function withSlugs(config: Record<string, unknown>, llms: Slugs): Record<string, unknown> {
  const model = config.model as { primary?: object; fallbacks?: object[] } | undefined
  if (!model) return config
  return {
    ...config,
    model: {
      ...model,
      ...(model.primary ? { primary: named(model.primary, llms) } : {}),
      ...(model.fallbacks ? { fallbacks: model.fallbacks.map((fallback) => named(fallback, llms)) } : {}),
    },
  }
}

function named(model: { llm_config_id?: string }, llms: Slugs): object {
  const { llm_config_id: id, ...rest } = model
  const slug = id === undefined ? undefined : llms.get(id)
  return slug === undefined ? model : { llm_config: slug, ...rest }
}
