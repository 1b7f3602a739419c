import type {
  AgentId,
  AnyRunId,
  ApprovalId,
  IdText,
  KnowledgeBaseId,
  LlmConfigId,
  McpServerId,
  PhoneTrunkId,
  ProjectId,
  ReviewId,
  SessionRowId,
  SkillId,
  TeamId,
  VoiceConfigurationId,
  WorkflowId,
} from '@troupe/contract'

/** The paths of all pages. Segments are escaped, so that a name with a slash does not become another path. */
const join = (...segments: readonly string[]) =>
  segments.map((segment) => `/${encodeURIComponent(segment)}`).join('')

/** The address of a place with search parameters; absent and empty ones are omitted. */
export function withSearch(
  path: string,
  search: Readonly<Record<string, string | null | undefined>>,
): string {
  const [before = '', given] = path.split('?')
  const query = new URLSearchParams(given)
  for (const [name, value] of Object.entries(search)) if (value) query.set(name, value)
  return query.size === 0 ? before : `${before}?${query}`
}

/** The pages of the settings in the groups and the order of their navigation. */
export const SETTINGS_GROUPS = {
  organization: ['organization', 'projects', 'members'],
  developers: ['keys', 'api', 'bundle'],
  spend: ['models', 'budgets'],
  records: ['audit', 'uploads'],
} as const
export const SETTINGS_PAGES = Object.values(SETTINGS_GROUPS).flat()
export type SettingsGroup = keyof typeof SETTINGS_GROUPS
export type SettingsPage = (typeof SETTINGS_GROUPS)[SettingsGroup][number]

/** The paths of the builder below one organization, by its slug; with a project, which every page keeps. */
export function organizationPaths(slug: string, projectId: IdText<ProjectId> | null = null) {
  const below = (...segments: readonly string[]) =>
    withSearch(join('o', slug, ...segments), { project: projectId })
  return {
    home: below(),
    agents: below('agents'),
    agent: (agentId: IdText<AgentId>, tab?: string) => withSearch(below('agents', agentId), { tab }),
    teams: below('teams'),
    team: (teamId: IdText<TeamId>, tab?: string) => withSearch(below('teams', teamId), { tab }),
    workflows: below('workflows'),
    workflow: (workflowId: IdText<WorkflowId>, tab?: string) =>
      withSearch(below('workflows', workflowId), { tab }),
    runs: below('runs'),
    run: (runId: IdText<AnyRunId>, node?: string) => withSearch(below('runs', runId), { node }),
    session: (sessionId: IdText<SessionRowId>) => below('sessions', sessionId),
    reviews: below('reviews'),
    review: (reviewId: IdText<ReviewId>) => below('reviews', reviewId),
    /** An approval of a tool call is opened in the inbox. */
    approval: (approvalId: IdText<ApprovalId>) => withSearch(below('reviews'), { approval: approvalId }),
    sessions: below('sessions'),
    knowledge: below('knowledge'),
    knowledgeBase: (baseId: IdText<KnowledgeBaseId>) => below('knowledge', baseId),
    skills: below('skills'),
    skill: (skillId: IdText<SkillId>) => below('skills', skillId),
    /** MCP servers and credentials. */
    tools: ({ tab, create }: { tab?: 'credentials'; create?: boolean } = {}) =>
      withSearch(below('tools'), { tab, create: create ? '1' : undefined }),
    mcpServer: (mcpServerId: IdText<McpServerId>) => below('tools', 'servers', mcpServerId),
    /** Trunks, phone numbers, and numbers that are not called. */
    phone: ({ tab, create }: { tab?: 'numbers' | 'do-not-call'; create?: boolean } = {}) =>
      withSearch(below('phone'), { tab, create: create ? '1' : undefined }),
    phoneTrunk: (trunkId: IdText<PhoneTrunkId>) => below('phone', 'trunks', trunkId),
    /** Memories of agents, of one agent or one user. */
    memories: ({ agent, user }: { agent?: string; user?: string } = {}) =>
      withSearch(below('memories'), { agent, user }),
    /** Voice settings of agents. */
    voice: ({ create }: { create?: boolean } = {}) =>
      withSearch(below('voice'), { create: create ? '1' : undefined }),
    voiceConfiguration: (voiceConfigId: IdText<VoiceConfigurationId>) => below('voice', voiceConfigId),
    voiceSessions: below('voice', 'sessions'),
    usage: below('usage'),
    model: (llmConfigId: IdText<LlmConfigId>) => below('settings', 'models', llmConfigId),
    newModel: (provider?: string) => withSearch(below('settings', 'models', 'new'), { provider }),
    /** The user's account, which is the same in each of their organizations. */
    account: below('account'),
    settings: (page: SettingsPage = 'organization') => below('settings', page),
  }
}
export type OrganizationPaths = ReturnType<typeof organizationPaths>

/** Pages of the server linked by the builder. They are separate documents. */
export const SERVER_PATHS = {
  signIn: '/sign-in',
  resetPassword: '/reset-password',
  account: '/account',
  docs: '/docs',
  /** Talks to a voice agent, `?agent=<id>`. */
  talk: '/voice/try',
} as const
