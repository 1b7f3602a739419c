import { checkedId, OrganizationId, type ProjectId, typedKeys } from '@troupe/contract'
import { limitsAboveCeilings, withinCeilings } from '@troupe/operations/limits/limit-ceilings'
import { defaultModelList } from '@troupe/operations/llm-configurations/default-model-list'
import { DEFAULT_LIMITS } from '@troupe/operations/organizations/default-limits'
import type { Passwords } from '@troupe/secrets'
import type {
  NewMcpServer,
  NewVoiceConfiguration,
  OrganizationSettings,
  ProjectRecord,
  WrittenPhoneNumber,
  WrittenPhoneTrunk,
} from '@troupe/storage'
import type { OrganizationItem } from '../read/bundle-items.ts'
import { checkOrganizationAuthor } from '../resolve/check-author.ts'
import { nameLookup } from '../resolve/name-lookup.ts'
import { BY_SLUG, type Planner, place } from '../resolve/planner.ts'
import type { Step } from '../resolve/step.ts'
import { readStored } from '../resolve/stored-organization.ts'
import type { ToolTarget } from '../resolve/tool-references.ts'
import { planNumbers, planTrunks } from '../voice/plan-phone.ts'
import { planVoiceConfigurations } from '../voice/plan-voice-configurations.ts'
import { checkAgentCycles } from './check-agent-cycles.ts'
import { checkAgentUse } from './check-agent-use.ts'
import { checkDefaults } from './check-defaults.ts'
import { checkModels } from './check-models.ts'
import { checkSources } from './check-sources.ts'
import { checkTeamUse } from './check-team-use.ts'
import { type AgentStep, planAgents } from './plan-agents.ts'
import { type KeyStep, planApiKeys } from './plan-api-keys.ts'
import { planBudgets, type WrittenBudget } from './plan-budgets.ts'
import { type CredentialStep, planCredentials } from './plan-credentials.ts'
import { type KnowledgeBaseStep, planKnowledgeBases } from './plan-knowledge-bases.ts'
import { type LlmConfigurationStep, planLlmConfigurations } from './plan-llm-configurations.ts'
import { planMcpServers } from './plan-mcp-servers.ts'
import { type MemberStep, planMembers } from './plan-members.ts'
import { planProjects, projectLookup } from './plan-projects.ts'
import { planSkills, type SkillStep, skillsAfterwards } from './plan-skills.ts'
import { planTeams, type TeamStep } from './plan-teams.ts'
import { placeWorkflows, planWorkflows, type WorkflowStep } from './plan-workflows.ts'
import { usableAfterwards } from './planned-llm-configurations.ts'

/** The planned steps of one organization of a bundle, unchanged rows included. */
export interface OrganizationPlan {
  organization: Step<OrganizationSettings>
  projects: Step<ProjectRecord>[]
  members: MemberStep[]
  apiKeys: KeyStep[]
  llmConfigurations: LlmConfigurationStep[]
  credentials: CredentialStep[]
  knowledgeBases: KnowledgeBaseStep[]
  skills: SkillStep[]
  mcpServers: Step<NewMcpServer>[]
  agents: AgentStep[]
  voiceConfigurations: Step<NewVoiceConfiguration>[]
  trunks: Step<WrittenPhoneTrunk>[]
  phoneNumbers: Step<WrittenPhoneNumber>[]
  teams: TeamStep[]
  workflows: WorkflowStep[]
  budgets: Step<WrittenBudget>[]
}

/** Compares an organization with the stored one; null if its slug or id is invalid, which is reported. */
export async function planOrganization(
  given: Planner & { passwords: Passwords },
  item: OrganizationItem,
): Promise<OrganizationPlan | null> {
  const organization = await planRecord(given, item)
  if (organization === null) return null
  const planner: Planner = { ...given, passwords: given.passwords.of(organization.after.id) }
  const stored = await readStored(planner.read, organization.before, item)
  checkOrganizationAuthor(planner.problems, planner.role, item.path, organization)
  const { id } = organization.after
  const projects = await planProjects(planner, id, item.projects, stored.projects)
  const projectOf = projectLookup(planner, item, projects, stored.projects)
  const members = await planMembers(planner, id, item.members, stored.members)
  const apiKeys = await planApiKeys(planner, id, item.apiKeys, stored.apiKeys, projectOf)
  const llmConfigurations = await planLlmConfigurations(
    planner,
    id,
    item.llmConfigurations,
    stored.llmConfigurations,
    projectOf,
  )
  checkDefaults(planner, llmConfigurations, stored.llmConfigurations)
  const usable = usableAfterwards(llmConfigurations, stored.llmConfigurations)
  const { brokenSlugs } = item
  const llm = nameLookup(item.llmConfigurations, brokenSlugs, llmConfigurations, stored.llmConfigurations)
  const credentials = await planCredentials(planner, id, item.credentials, stored.credentials, projectOf)
  const credential = nameLookup(item.credentials, brokenSlugs, credentials, stored.credentials)
  const knowledgeBases = await planKnowledgeBases(planner, id, item.knowledgeBases, stored.knowledgeBases, {
    projectOf,
    llm,
  })
  const knowledgeBase = nameLookup(item.knowledgeBases, brokenSlugs, knowledgeBases, stored.knowledgeBases)
  const skills = planSkills(planner, id, item.skills, stored.skills, projectOf)
  const servers = { projectOf, credential, credentials }
  const mcpServers = await planMcpServers(planner, id, item.mcpServers, stored.mcpServers, servers)
  const server = nameLookup(item.mcpServers, brokenSlugs, mcpServers, stored.mcpServers)
  const placedWorkflows = await placeWorkflows(planner, item.workflows, stored.workflows)
  const workflow = nameLookup<ToolTarget>(
    item.workflows,
    brokenSlugs,
    placedWorkflows.map(({ item: { value, path }, id }) => {
      const projectId = projectOf({ value, path }) ?? null
      return { before: null, after: { id, slug: value.slug, projectId }, changed: true }
    }),
    stored.workflows,
  )
  const agents = await planAgents(planner, id, item.agents, stored.agents, {
    projectOf,
    llm,
    credential,
    knowledgeBase,
    workflow,
    server,
    skills: skillsAfterwards(skills, stored.skills),
    brokenSlugs,
  })
  await checkAgentCycles(planner, agents, stored.agents)
  const agent = nameLookup(item.agents, brokenSlugs, agents, stored.agents)
  const voiceConfigurations = await planVoiceConfigurations(
    planner,
    id,
    item.voiceConfigurations,
    stored.voiceConfigurations,
    { agent, credential },
  )
  const voice = nameLookup(
    item.voiceConfigurations,
    brokenSlugs,
    voiceConfigurations,
    stored.voiceConfigurations,
  )
  const trunks = await planTrunks(planner, id, item.trunks, stored.trunks, projectOf)
  const trunk = nameLookup(item.trunks, brokenSlugs, trunks, stored.trunks)
  const phoneNumbers = await planNumbers(
    planner,
    id,
    item.phoneNumbers,
    stored.phoneNumbers,
    { trunk, voice },
    item,
  )
  const teams = await planTeams(planner, id, item.teams, stored.teams, {
    projectOf,
    llm,
    agent,
    credential,
  })
  const team = nameLookup(item.teams, brokenSlugs, teams, stored.teams)
  const defaultLlm = (projectId: ProjectId | null) => defaultModelList(projectId, usable(projectId))
  const lookups = { projectOf, llm, agent, team, defaultLlm }
  const workflows = await planWorkflows(planner, id, placedWorkflows, lookups)
  const budgets = await planBudgets(planner, id, item.budgets, stored.budgets, projectOf)
  await checkSources(planner, id, agents)
  checkModels(planner, { usable, agents, teams })
  await checkAgentUse(planner, agents, { teams, workflows, voiceConfigurations, phoneNumbers })
  await checkTeamUse(planner, teams, workflows)
  const tools = { credentials, mcpServers, knowledgeBases, skills }
  const settings = { projects, members, apiKeys, llmConfigurations, ...tools, budgets }
  const voices = { voiceConfigurations, trunks, phoneNumbers }
  return { organization, ...settings, agents, ...voices, teams, workflows }
}

async function planRecord(
  planner: Planner,
  item: OrganizationItem,
): Promise<Step<OrganizationSettings> | null> {
  const { slug, name, id, limits } = item.value
  const { bySlug, byId } = planner.read.organizations
  const found = [await bySlug(slug), id === undefined ? null : await byId(checkedId(OrganizationId, id))]
  const stored = found.filter((row) => row !== null)
  const distinct = stored.filter((row, index) => stored.findIndex((other) => other.id === row.id) === index)
  const [placed] = await place(planner, OrganizationId, [item], distinct, BY_SLUG)
  if (!placed) return null
  const before = placed.stored
  const limit = (name: keyof typeof DEFAULT_LIMITS) =>
    limits?.[name] ?? before?.[name] ?? DEFAULT_LIMITS[name]
  // Only defaults and stored values are lowered; values in the bundle are checked below.
  const after: OrganizationSettings = withinCeilings(planner.limitCeilings, {
    id: placed.id,
    slug,
    name,
    rpm: limit('rpm'),
    concurrentRuns: limit('concurrentRuns'),
    traceDays: limit('traceDays'),
    runDays: limit('runDays'),
  })
  for (const { name: above, message } of limitsAboveCeilings(planner.limitCeilings, limits ?? {})) {
    planner.problems.add(`${item.path}.limits.${above}`, message)
  }
  const changed = typedKeys(after).some((key) => before?.[key] !== after[key])
  return { before, after, changed }
}
