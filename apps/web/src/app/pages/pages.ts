import type { RouteComponent } from '@tanstack/react-router'

/** A page below `/o/{slug}`: its path and its feature. Each becomes a separate chunk. */
export interface PageEntry {
  /** Segments with a dollar sign are parameters: `agents/$agentId`. */
  path: string
  load(): Promise<RouteComponent>
}

/** Every page below an organization. A new page is a line here. */
export const PAGES: readonly PageEntry[] = [
  { path: '/', load: async () => (await import('../../features/home/home-page.tsx')).HomePage },
  {
    path: 'settings/projects',
    load: async () => (await import('../../features/settings/projects-page.tsx')).ProjectsPage,
  },
  {
    path: 'settings/members',
    load: async () => (await import('../../features/settings/members-page.tsx')).MembersPage,
  },
  {
    path: 'settings/keys',
    load: async () => (await import('../../features/settings/keys-page.tsx')).KeysPage,
  },
  {
    path: 'settings/api',
    load: async () => (await import('../../features/settings/api/api-page.tsx')).ApiPage,
  },
  {
    path: 'settings/models',
    load: async () => (await import('../../features/settings/models/models-page.tsx')).ModelsPage,
  },
  {
    path: 'settings/models/new',
    load: async () => (await import('../../features/settings/models/new-model-page.tsx')).NewModelPage,
  },
  {
    path: 'settings/models/$llmConfigId',
    load: async () => (await import('../../features/settings/models/model-page.tsx')).ModelPage,
  },
  {
    path: 'settings/bundle',
    load: async () => (await import('../../features/settings/bundle/bundle-page.tsx')).BundlePage,
  },
  {
    path: 'settings/uploads',
    load: async () => (await import('../../features/settings/uploads-page.tsx')).UploadsPage,
  },
  {
    path: 'settings/audit',
    load: async () => (await import('../../features/settings/audit-page.tsx')).AuditPage,
  },
  {
    path: 'settings/budgets',
    load: async () => (await import('../../features/settings/budgets-page.tsx')).BudgetsPage,
  },
  {
    path: 'settings/organization',
    load: async () => (await import('../../features/settings/organization-page.tsx')).OrganizationPage,
  },
  {
    path: 'account',
    load: async () => (await import('../../features/account/account-page.tsx')).AccountPage,
  },
  {
    path: 'agents',
    load: async () => (await import('../../features/agents/agents-page.tsx')).AgentsPage,
  },
  {
    path: 'agents/$agentId',
    load: async () => (await import('../../features/agents/agent-page.tsx')).AgentPage,
  },
  {
    path: 'teams',
    load: async () => (await import('../../features/teams/teams-page.tsx')).TeamsPage,
  },
  {
    path: 'teams/$teamId',
    load: async () => (await import('../../features/teams/team-page.tsx')).TeamPage,
  },
  {
    path: 'workflows',
    load: async () => (await import('../../features/workflows/workflows-page.tsx')).WorkflowsPage,
  },
  {
    path: 'knowledge',
    load: async () => (await import('../../features/knowledge/knowledge-page.tsx')).KnowledgePage,
  },
  {
    path: 'knowledge/$baseId',
    load: async () => (await import('../../features/knowledge/knowledge-base-page.tsx')).KnowledgeBasePage,
  },
  {
    path: 'skills',
    load: async () => (await import('../../features/skills/skills-page.tsx')).SkillsPage,
  },
  {
    path: 'skills/$skillId',
    load: async () => (await import('../../features/skills/skill-page.tsx')).SkillPage,
  },
  {
    path: 'tools',
    load: async () => (await import('../../features/tools/tools-page.tsx')).ToolsPage,
  },
  {
    path: 'tools/servers/$mcpServerId',
    load: async () => (await import('../../features/tools/mcp-server-page.tsx')).McpServerPage,
  },
  {
    path: 'voice',
    load: async () => (await import('../../features/voice/voice-page.tsx')).VoicePage,
  },
  {
    path: 'voice/sessions',
    load: async () => (await import('../../features/voice/voice-sessions-page.tsx')).VoiceSessionsPage,
  },
  {
    path: 'voice/$voiceConfigId',
    load: async () => (await import('../../features/voice/voice-editor-page.tsx')).VoiceEditorPage,
  },
  {
    path: 'phone',
    load: async () => (await import('../../features/phone/phone-page.tsx')).PhonePage,
  },
  {
    path: 'phone/trunks/$trunkId',
    load: async () => (await import('../../features/phone/trunk-page.tsx')).TrunkPage,
  },
  {
    path: 'memories',
    load: async () => (await import('../../features/memories/memories-page.tsx')).MemoriesPage,
  },
  {
    path: 'workflows/$workflowId',
    load: async () => (await import('../../features/workflows/workflow-page.tsx')).WorkflowPage,
  },
  {
    path: 'runs',
    load: async () => (await import('../../features/runs/explorer/runs-page.tsx')).RunsPage,
  },
  {
    path: 'runs/$runId',
    load: async () => (await import('../../features/runs/run-page.tsx')).RunPage,
  },
  {
    path: 'reviews',
    load: async () => (await import('../../features/reviews/reviews-page.tsx')).ReviewsPage,
  },
  {
    path: 'reviews/$reviewId',
    load: async () => (await import('../../features/reviews/review-page.tsx')).ReviewPage,
  },
  {
    path: 'usage',
    load: async () => (await import('../../features/usage/usage-page.tsx')).UsagePage,
  },
  {
    path: 'sessions',
    load: async () => (await import('../../features/sessions/sessions-page.tsx')).SessionsPage,
  },
  {
    path: 'sessions/$sessionId',
    load: async () => (await import('../../features/sessions/session-page.tsx')).SessionPage,
  },
]
