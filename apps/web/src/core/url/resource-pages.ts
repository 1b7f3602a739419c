import type { OrganizationPaths } from './paths.ts'

type PageOf = (paths: OrganizationPaths, id: string) => string

/** The page of a resource, by its kind. */
export const RESOURCE_PAGES = {
  agent: (paths, id) => paths.agent(id),
  team: (paths, id) => paths.team(id),
  workflow: (paths, id) => paths.workflow(id),
  knowledge_base: (paths, id) => paths.knowledgeBase(id),
  skill: (paths, id) => paths.skill(id),
  mcp_server: (paths, id) => paths.mcpServer(id),
  llm_configuration: (paths, id) => paths.model(id),
  voice_configuration: (paths, id) => paths.voiceConfiguration(id),
  phone_trunk: (paths, id) => paths.phoneTrunk(id),
} as const satisfies Readonly<Record<string, PageOf>>
