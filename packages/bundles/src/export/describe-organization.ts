import type { CatalogModel } from '@troupe/agents/ports'
import type {
  BundleAgent,
  BundleApiKey,
  BundleBudget,
  BundleCredential,
  BundleLlmConfiguration,
  BundleMcpServer,
  BundleModel,
  BundleOrganization,
  BundleSkill,
} from '@troupe/contract'
import { withoutHeaderValues } from '@troupe/models'
import { fromMicros } from '@troupe/operations/budgets/micros'
import { differingSettings } from '@troupe/operations/runnables/agent-settings'
import type {
  AgentRecord,
  ApiKeyRecord,
  BudgetRecord,
  CredentialRecord,
  LlmConfigurationRecord,
  McpServerRecord,
} from '@troupe/storage'
import { wholeConfig } from '../plan/plan-agents.ts'
import { configDifference } from './config-difference.ts'
import { deriveSlug } from './derive-slug.ts'
import { describeKnowledgeBase } from './describe-knowledge-base.ts'
import { describeNumber, describeTrunk } from './describe-phone.ts'
import { describeTeam } from './describe-team.ts'
import { describeVoiceConfiguration } from './describe-voice-configuration.ts'
import { describeWorkflow } from './describe-workflow.ts'
import type { WholeOrganization, WholeSkill } from './read-everything.ts'
import {
  type ExportedSkill,
  projectOf,
  type Slugs,
  withCredentialSlugs,
  withKnowledgeSlugs,
  withSkillSlugs,
  withSlugs,
  withToolSlugs,
} from './slugs.ts'

/** An organization in the bundle format, in an order that does not depend on the database. */
export function describeOrganization(whole: WholeOrganization): BundleOrganization {
  const { id, slug, name, rpm, concurrentRuns, traceDays, runDays } = whole.organization
  const projects: Slugs = new Map(whole.projects.map((project) => [project.id, project.slug]))
  const llms: Slugs = new Map(whole.llmConfigurations.map((llm) => [llm.id, llm.slug]))
  const credentials: Slugs = new Map(whole.credentials.map((credential) => [credential.id, credential.slug]))
  const bases = withEverySlug(whole.knowledgeBases, 'knowledge-base')
  const baseSlugs: Slugs = new Map(bases.map((base) => [base.id, base.slug]))
  const agents = withEverySlug(whole.agents, 'agent')
  const teams = withEverySlug(whole.teams, 'team')
  const teamSlugs: Slugs = new Map(teams.map((team) => [team.id, team.slug]))
  const agentSlugs: Slugs = new Map(agents.map((agent) => [agent.id, agent.slug]))
  const workflows = withEverySlug(whole.workflows, 'workflow')
  const workflowSlugs: Slugs = new Map(workflows.map((workflow) => [workflow.id, workflow.slug]))
  const servers: Slugs = new Map(whole.mcpServers.map((server) => [server.id, server.slug]))
  const voices: Slugs = new Map(whole.voiceConfigurations.map((voice) => [voice.id, voice.slug]))
  const trunkSlugs: Slugs = new Map(whole.trunks.map((trunk) => [trunk.id, trunk.slug]))
  const skills = new Map<string, ExportedSkill>(whole.skills.map((skill) => [skill.id, skill]))
  const slugs = { projects, llms, agents: agentSlugs, workflows: workflowSlugs, servers }
  return {
    slug,
    name,
    id,
    limits: { rpm, concurrentRuns, traceDays, runDays },
    projects: whole.projects
      .map((project) => ({ slug: project.slug, name: project.name, id: project.id }))
      .toSorted(by('slug')),
    members: whole.members
      .map(({ email, name: called, role, status }) => ({ email, name: called, role, status }))
      .toSorted(by('email')),
    apiKeys: whole.apiKeys.map((key) => describeKey(key, projects)).toSorted(by('name')),
    llmConfigurations: whole.llmConfigurations
      .map((configuration) => describeLlmConfiguration(configuration, projects))
      .toSorted(by('slug')),
    credentials: whole.credentials
      .map((credential) => describeCredential(credential, projects))
      .toSorted(by('slug')),
    mcpServers: whole.mcpServers
      .map((server) => describeMcpServer(server, projects, credentials))
      .toSorted(by('slug')),
    knowledgeBases: bases.map((base) => describeKnowledgeBase(base, slugs)).toSorted(by('slug')),
    skills: whole.skills.map((skill) => describeSkill(skill, projects)).toSorted(by('slug')),
    agents: agents
      .map((agent) => describeAgent(agent, skills, { ...slugs, credentials, bases: baseSlugs }))
      .toSorted(by('slug')),
    voiceConfigurations: whole.voiceConfigurations
      .map((configuration) => describeVoiceConfiguration(configuration, { agents: agentSlugs, credentials }))
      .toSorted(by('slug')),
    trunks: whole.trunks.map((trunk) => describeTrunk(trunk, projects)).toSorted(by('slug')),
    phoneNumbers: whole.phoneNumbers
      .map((number) => describeNumber(number, { trunks: trunkSlugs, voices }))
      .toSorted(by('slug')),
    teams: teams
      .map((team) => describeTeam(team, { projects, llms, credentials, agents: agentSlugs }))
      .toSorted(by('slug')),
    workflows: workflows
      .map((workflow) => describeWorkflow(workflow, { projects, llms, agents: agentSlugs, teams: teamSlugs }))
      .toSorted(by('slug')),
    budgets: whole.budgets.map((budget) => describeBudget(budget, projects)).toSorted(by('metric')),
  }
}

/** Derives slugs for rows that have only a name. `fallback` is for names without a usable character. */
function withEverySlug<T extends { slug: string | null; name: string }>(
  rows: readonly T[],
  fallback: string,
): (T & { slug: string })[] {
  const taken = new Set(rows.flatMap(({ slug }) => slug ?? []))
  return rows.map((row) => ({ ...row, slug: row.slug ?? deriveSlug(row.name, taken, fallback) }))
}

function by<K extends string>(key: K) {
  return (a: { [P in K]: string } & { id?: string }, b: { [P in K]: string } & { id?: string }) =>
    a[key] < b[key] || (a[key] === b[key] && (a.id ?? '') < (b.id ?? '')) ? -1 : 1
}

function describeKey(key: ApiKeyRecord, projects: Slugs): BundleApiKey {
  return {
    name: key.name,
    id: key.id,
    ...projectOf(key.projectId, projects),
    ...(key.rpm === null ? {} : { rpm: key.rpm }),
    ...(key.expiresAt === null ? {} : { expiresAt: key.expiresAt.toISOString() }),
    // An absent field keeps the stored value, so an old export never restores a key that was revoked later.
    ...(key.revokedAt === null ? {} : { revoked: true }),
  }
}

function describeLlmConfiguration(
  configuration: LlmConfigurationRecord,
  projects: Slugs,
): BundleLlmConfiguration {
  const { slug, name, id, projectId, providerId, status, isDefault, baseUrl, settings, models } =
    configuration
  const { allowUnlistedModels } = configuration
  return {
    slug,
    name,
    id,
    ...projectOf(projectId, projects),
    providerId,
    status,
    ...(isDefault ? { default: true } : {}),
    ...(baseUrl === null ? {} : { baseUrl }),
    ...(Object.keys(settings).length === 0 ? {} : { settings: withoutHeaderValues(providerId, settings) }),
    models: models.map(describeModel),
    ...(allowUnlistedModels ? { allowUnlistedModels } : {}),
  }
}

function describeModel(model: CatalogModel): BundleModel {
  const { modelId, displayName, contextLength, maxOutputTokens, toolChoice } = model
  const { inputUsdPerMillion, cachedInputUsdPerMillion, cacheWriteUsdPerMillion, outputUsdPerMillion } = model
  return {
    modelId,
    ...(displayName === modelId ? {} : { displayName }),
    contextLength,
    maxOutputTokens,
    ...(inputUsdPerMillion === null ? {} : { inputUsdPerMillion }),
    ...(cachedInputUsdPerMillion === null ? {} : { cachedInputUsdPerMillion }),
    // Absent in configurations that were stored before it existed.
    ...(typeof cacheWriteUsdPerMillion === 'number' ? { cacheWriteUsdPerMillion } : {}),
    ...(outputUsdPerMillion === null ? {} : { outputUsdPerMillion }),
    ...(toolChoice ? {} : { toolChoice }),
    ...(model.kind && { kind: model.kind }),
  }
}

/** Without the secret; applying the export keeps the stored one. */
function describeCredential(credential: CredentialRecord, projects: Slugs): BundleCredential {
  const { slug, name, id, projectId, kind, username, field, hosts } = credential
  return {
    slug,
    name,
    id,
    ...projectOf(projectId, projects),
    kind,
    ...(username === null ? {} : { username }),
    ...(field === null ? {} : { field }),
    hosts,
  }
}

function describeMcpServer(
  { slug, name, id, projectId, url, credentialId }: McpServerRecord,
  projects: Slugs,
  credentials: Slugs,
): BundleMcpServer {
  const credential = credentials.get(credentialId)
  return {
    slug,
    name,
    id,
    ...projectOf(projectId, projects),
    url,
    ...(credential === undefined ? {} : { credential }),
  }
}

/** Without long files; applying the export keeps the stored ones. */
function describeSkill({ slug, projectId, texts, path }: WholeSkill, projects: Slugs): BundleSkill {
  const content = texts === null ? path !== null && { path } : { files: texts }
  return { slug, ...projectOf(projectId, projects), ...content }
}

function describeAgent(
  agent: AgentRecord & { slug: string },
  skills: ReadonlyMap<string, ExportedSkill>,
  {
    projects,
    llms,
    credentials,
    bases,
    ...targets
  }: Record<'projects' | 'llms' | 'agents' | 'workflows' | 'servers' | 'credentials' | 'bases', Slugs>,
): BundleAgent {
  const { slug, name, id, projectId, status } = agent
  const config = configDifference(wholeConfig(agent.config))
  return {
    slug,
    name,
    id,
    ...projectOf(projectId, projects),
    status,
    ...differingSettings(agent),
    ...(Object.keys(config).length === 0
      ? {}
      : {
          config: withSkillSlugs(
            withKnowledgeSlugs(
              withToolSlugs(withCredentialSlugs(withSlugs(config, llms), credentials), targets),
              bases,
              llms,
            ),
            projectId,
            { skills, projects },
          ),
        }),
  }
}

function describeBudget(
  { metric, id, projectId, limitMicros, period }: BudgetRecord,
  projects: Slugs,
): BundleBudget {
  return { metric, id, ...projectOf(projectId, projects), limit: fromMicros(limitMicros), period }
}
