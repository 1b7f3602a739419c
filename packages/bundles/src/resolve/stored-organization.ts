import {
  AgentId,
  type Id,
  type IdKind,
  isJsonObject,
  KnowledgeBaseId,
  parseId,
  propertyOf,
  SkillId,
  TeamId,
  WorkflowId,
} from '@troupe/contract'
import type {
  AgentRecord,
  ApiKeyRecord,
  BudgetRecord,
  CredentialRecord,
  KnowledgeBaseRecord,
  LlmConfigurationRecord,
  McpServerRecord,
  MemberRecord,
  OrganizationRecord,
  ProjectRecord,
  Readers,
  SkillRecord,
  TeamRecord,
  VoiceConfigurationRecord,
  WorkflowRecord,
} from '@troupe/storage'
import type { PhoneNumberRecord, PhoneTrunkRecord } from '@troupe/voice'
import type { OrganizationItem } from '../read/bundle-items.ts'
import { namedInTools } from './tool-references.ts'

/** The stored state of one organization, limited to what a bundle can change. */
export interface StoredOrganization {
  projects: readonly ProjectRecord[]
  members: readonly MemberRecord[]
  apiKeys: readonly ApiKeyRecord[]
  llmConfigurations: readonly LlmConfigurationRecord[]
  credentials: readonly CredentialRecord[]
  /** Bases with a slug, and bases that the bundle names by id. */
  knowledgeBases: readonly KnowledgeBaseRecord[]
  /** Newest versions, and older ones that agents of the bundle pin. */
  skills: readonly SkillRecord[]
  mcpServers: readonly McpServerRecord[]
  /** Rows with a slug, and rows that the bundle names by id. */
  agents: readonly AgentRecord[]
  voiceConfigurations: readonly VoiceConfigurationRecord[]
  trunks: readonly PhoneTrunkRecord[]
  phoneNumbers: readonly PhoneNumberRecord[]
  teams: readonly TeamRecord[]
  /** Empty when the bundle neither contains nor references workflows: drafts can be megabytes. */
  workflows: readonly WorkflowRecord[]
  budgets: readonly BudgetRecord[]
}

const NOTHING: StoredOrganization = {
  projects: [],
  members: [],
  apiKeys: [],
  llmConfigurations: [],
  credentials: [],
  knowledgeBases: [],
  skills: [],
  mcpServers: [],
  agents: [],
  voiceConfigurations: [],
  trunks: [],
  phoneNumbers: [],
  teams: [],
  workflows: [],
  budgets: [],
}

/**
 * Reads the stored state to compare with an organization of a bundle; `organization` is null for a new one.
 */
export async function readStored(
  read: Readers,
  organization: Pick<OrganizationRecord, 'id'> | null,
  item: OrganizationItem,
): Promise<StoredOrganization> {
  if (organization === null) return NOTHING
  const { id } = organization
  const withSlug = await read.agents.list(id)
  const others = new Set(namedAgents(item))
  for (const agent of withSlug) others.delete(agent.id)
  const teams = await read.teams.list(id)
  const inTools = item.agents.flatMap(({ value }) => namedInTools(value.config, 'workflow'))
  const needsWorkflows = item.workflows.length > 0 || inTools.length > 0
  const workflows = needsWorkflows ? await read.workflows.list(id) : []
  const bases = await read.knowledge.list(id)
  const otherBases = new Set<KnowledgeBaseId>(
    idsAmong(KnowledgeBaseId, [...item.knowledgeBases.map(({ value }) => value.id), ...namedBases(item)]),
  )
  for (const base of bases) otherBases.delete(base.id)
  return {
    ...(await readSettings(read, id)),
    knowledgeBases: [...bases, ...(await read.knowledge.bases(id, [...otherBases]))],
    skills: await storedSkills(read, id, item),
    agents: [...withSlug, ...(await read.agents.byIds(id, [...others]))],
    teams: await withNamed(teams, namedTeams(item), (team) => read.teams.byId(id, team)),
    workflows: await withNamed(
      workflows,
      idsAmong(WorkflowId, [...item.workflows.map(({ value }) => value.id), ...inTools]),
      (workflow) => read.workflows.byId(id, workflow),
    ),
  }
}

/** The parts of an organization that every bundle needs completely. */
export async function readSettings(read: Readers, id: OrganizationRecord['id']) {
  return {
    projects: await read.projects.list(id),
    members: await read.members.list(id),
    apiKeys: await read.apiKeys.list(id),
    llmConfigurations: await read.llmConfigurations.list(id),
    credentials: await read.credentials.list(id),
    mcpServers: await read.mcpServers.list(id),
    voiceConfigurations: await read.voiceConfigurations.list(id),
    trunks: await read.phone.trunks(id),
    phoneNumbers: await read.phone.numbers(id),
    budgets: await read.budgets.list(id),
  }
}

/** The rows, plus those that a bundle names by id and that are missing from them. */
async function withNamed<T extends { id: string }, Kind extends string>(
  rows: readonly T[],
  ids: readonly Id<Kind>[],
  read: (id: Id<Kind>) => Promise<T | null>,
): Promise<T[]> {
  const all = new Map(rows.map((row) => [row.id, row]))
  for (const id of ids) {
    const named = all.has(id) ? null : await read(id)
    if (named) all.set(id, named)
  }
  return [...all.values()]
}

/** The skills that a bundle contains or references. */
async function storedSkills(
  read: Readers,
  organizationId: OrganizationRecord['id'],
  { skills, agents }: OrganizationItem,
): Promise<SkillRecord[]> {
  const named = agents.flatMap(({ value }) =>
    Array.isArray(value.config?.skills) ? value.config.skills : [],
  )
  const slugs = [
    ...skills.map(({ value }) => value.slug),
    ...named.flatMap((one) => [propertyOf(one, 'slug'), propertyOf(one, 'skill')]),
  ]
  const names = {
    ids: idsAmong(
      SkillId,
      named.map((one) => propertyOf(one, 'skill_id')),
    ),
    slugs: slugs.filter((slug) => typeof slug === 'string'),
  }
  const versions = named.map((one) => propertyOf(one, 'pinned_version')).filter(isVersion)
  if (names.ids.length === 0 && names.slugs.length === 0) return []
  return read.skills.named(organizationId, names, versions)
}

const isVersion = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 2 ** 31

/** The knowledge bases that the agents of a bundle reference. */
function namedBases({ agents }: OrganizationItem): unknown[] {
  return agents.flatMap(({ value }) => {
    const knowledge = value.config?.knowledge
    return isJsonObject(knowledge) ? [knowledge.bases, knowledge.base_ids].flat() : []
  })
}

/** The ids of teams in a bundle, as teams and in workflows. */
function namedTeams({ teams, workflows }: OrganizationItem): TeamId[] {
  return idsAmong(TeamId, [
    ...teams.map(({ value }) => value.id),
    ...namedInGraphs(workflows, ['team', 'teamId']),
  ])
}

/** The ids of agents in a bundle, as agents, with a voice, in teams and in workflows. */
function namedAgents({ agents, teams, workflows, voiceConfigurations }: OrganizationItem): AgentId[] {
  const inTeams = teams.flatMap(({ value: { lead, members, fallback_member: fallback } }) => [
    ...('agent' in lead ? [lead.agent] : []),
    ...members.map(({ agent }) => agent),
    fallback,
  ])
  const inGraphs = namedInGraphs(workflows, ['agent', 'agentId'])
  const inTools = agents.flatMap(({ value }) => namedInTools(value.config, 'agent'))
  const withVoice = voiceConfigurations.map(({ value }) => value.agent)
  return idsAmong(AgentId, [
    ...agents.map(({ value }) => value.id),
    ...withVoice,
    ...inTeams,
    ...inGraphs,
    ...inTools,
  ])
}

/** Collects the values below these keys in node configs. */
function namedInGraphs(workflows: OrganizationItem['workflows'], keys: readonly string[]): unknown[] {
  return workflows.flatMap(({ value: { graph } }) =>
    (Array.isArray(graph.nodes) ? graph.nodes : []).flatMap(
      (node: { config?: Record<string, unknown> } | null) => keys.map((key) => node?.config?.[key]),
    ),
  )
}

function idsAmong<Kind extends string>(kind: IdKind<Kind>, values: readonly unknown[]): Id<Kind>[] {
  return values.flatMap((value) => (typeof value === 'string' ? (parseId(kind, value) ?? []) : []))
}
