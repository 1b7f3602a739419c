import type { RouteComponent } from '@tanstack/react-router'

/** A page below `/o/{slug}`: its path, and the feature that has it. Each becomes a chunk of its own. */
export interface PageEntry {
  /** Segments with a dollar sign are parameters: `agents/$agentId`. */
  path: string
  load(): Promise<RouteComponent>
}

/** Every page below an organization. A new page is a line here. */
export const PAGES: readonly PageEntry[] = [
  { path: '/', load: async () => (await import('../features/home/home-page.tsx')).HomePage },
  {
    path: 'settings/projects',
    load: async () => (await import('../features/settings/projects-page.tsx')).ProjectsPage,
  },
  {
    path: 'settings/members',
    load: async () => (await import('../features/settings/members-page.tsx')).MembersPage,
  },
  {
    path: 'settings/keys',
    load: async () => (await import('../features/settings/keys-page.tsx')).KeysPage,
  },
  {
    path: 'settings/api',
    load: async () => (await import('../features/settings/api/api-page.tsx')).ApiPage,
  },
  {
    path: 'settings/models',
    load: async () => (await import('../features/settings/models/models-page.tsx')).ModelsPage,
  },
  {
    path: 'settings/models/new',
    load: async () => (await import('../features/settings/models/new-model-page.tsx')).NewModelPage,
  },
  {
    path: 'settings/models/$llmConfigId',
    load: async () => (await import('../features/settings/models/model-page.tsx')).ModelPage,
  },
  {
    path: 'settings/bundle',
    load: async () => (await import('../features/settings/bundle/bundle-page.tsx')).BundlePage,
  },
  {
    path: 'settings/uploads',
    load: async () => (await import('../features/settings/uploads-page.tsx')).UploadsPage,
  },
  {
    path: 'settings/audit',
    load: async () => (await import('../features/settings/audit-page.tsx')).AuditPage,
  },
  {
    path: 'settings/budgets',
    load: async () => (await import('../features/settings/budgets-page.tsx')).BudgetsPage,
  },
  {
    path: 'settings/organization',
    load: async () => (await import('../features/settings/organization-page.tsx')).OrganizationPage,
  },
  {
    path: 'agents',
    load: async () => (await import('../features/agents/agents-page.tsx')).AgentsPage,
  },
  {
    path: 'teams',
    load: async () => (await import('../features/teams/teams-page.tsx')).TeamsPage,
  },
  {
    path: 'workflows',
    load: async () => (await import('../features/workflows/workflows-page.tsx')).WorkflowsPage,
  },
  {
    path: 'workflows/$workflowId',
    load: async () => (await import('../features/workflows/workflow-page.tsx')).WorkflowPage,
  },
  {
    path: 'runs',
    load: async () => (await import('../features/runs/runs-page.tsx')).RunsPage,
  },
  {
    path: 'runs/$runId',
    load: async () => (await import('../features/runs/run-page.tsx')).RunPage,
  },
]
