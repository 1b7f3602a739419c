import type { BuilderOperationId } from '@troupe/contract/builder'

/** The subject of a page: the operation that reads it, and its name in bundles. */
export interface PageSubject {
  operation: BuilderOperationId
  params: Readonly<Record<string, string>>
  /** `agent:<id>`; null: it can't be exported separately. */
  include: string | null
}

/** Pages by their path below the organization; `*` is the id of one thing. */
const SUBJECTS: Readonly<
  Record<string, { operation: BuilderOperationId; id?: string; bundle?: string } | undefined>
> = {
  '': { operation: 'getHome' },
  agents: { operation: 'listAgents' },
  'agents/*': { operation: 'getAgent', id: 'agentId', bundle: 'agent' },
  teams: { operation: 'listTeams' },
  'teams/*': { operation: 'getTeam', id: 'teamId', bundle: 'team' },
  workflows: { operation: 'listWorkflows' },
  'workflows/*': { operation: 'getWorkflow', id: 'workflowId', bundle: 'workflow' },
  knowledge: { operation: 'listKnowledgeBases' },
  'knowledge/*': { operation: 'getKnowledgeBase', id: 'knowledgeBaseId', bundle: 'knowledge_base' },
  skills: { operation: 'listSkills' },
  'skills/*': { operation: 'getSkill', id: 'skillId' },
  tools: { operation: 'listMcpServers' },
  'tools/servers/*': { operation: 'getMcpServer', id: 'mcpServerId', bundle: 'mcp_server' },
  phone: { operation: 'listPhoneTrunks' },
  'voice/sessions': { operation: 'listVoiceSessions' },
  voice: { operation: 'listVoiceConfigurations' },
  'voice/*': { operation: 'getVoiceConfiguration', id: 'voiceConfigId', bundle: 'voice_configuration' },
  runs: { operation: 'listRuns' },
  'runs/*': { operation: 'getRun', id: 'runId' },
  sessions: { operation: 'listSessions' },
  'sessions/*': { operation: 'getRunSession', id: 'id' },
  memories: { operation: 'listMemories' },
  reviews: { operation: 'listReviews' },
  'reviews/*': { operation: 'getReview', id: 'reviewId' },
  usage: { operation: 'getUsage' },
  'settings/organization': { operation: 'getOrganization' },
  'settings/projects': { operation: 'listProjects' },
  'settings/members': { operation: 'listMembers' },
  'settings/keys': { operation: 'listApiKeys' },
  'settings/models': { operation: 'listLlmConfigurations' },
  'settings/models/*': { operation: 'getLlmConfiguration', id: 'llmConfigId', bundle: 'llm_configuration' },
  'settings/budgets': { operation: 'listBudgets' },
  'settings/audit': { operation: 'listAudit' },
  'settings/bundle': { operation: 'exportOrganizationBundle' },
  'settings/uploads': { operation: 'listUploads' },
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The subject of the page at `/o/{slug}/…`; null for pages without a stored one. */
export function pageSubject(pathname: string): PageSubject | null {
  const segments = pathname.split('/').slice(3).filter(Boolean)
  const id = segments.find((segment) => UUID.test(segment)) ?? null
  const found = SUBJECTS[segments.map((segment) => (segment === id ? '*' : segment)).join('/')]
  if (!found || (found.id !== undefined) !== (id !== null)) return null
  return {
    operation: found.operation,
    params: found.id === undefined || id === null ? {} : { [found.id]: id },
    include: found.bundle === undefined || id === null ? null : `${found.bundle}:${id}`,
  }
}
