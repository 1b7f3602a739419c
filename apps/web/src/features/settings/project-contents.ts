import type { ProjectContents } from '@troupe/contract/builder'
import { counted } from '../../core/format/numbers.ts'

const NOUNS: Readonly<Record<keyof ProjectContents, readonly [one: string, other: string]>> = {
  agents: ['agent', 'agents'],
  teams: ['team', 'teams'],
  workflows: ['workflow', 'workflows'],
  apiKeys: ['API key', 'API keys'],
  llmConfigurations: ['LLM configuration', 'LLM configurations'],
  credentials: ['credential', 'credentials'],
  mcpServers: ['MCP server', 'MCP servers'],
  knowledgeBases: ['knowledge base', 'knowledge bases'],
  skills: ['skill', 'skills'],
  phoneTrunks: ['phone trunk', 'phone trunks'],
  budgets: ['budget', 'budgets'],
}

/** "2 agents, 1 API key"; '' for an empty project. */
export function contentsText(contents: ProjectContents): string {
  const names = Object.keys(NOUNS).filter((name): name is keyof ProjectContents => Object.hasOwn(NOUNS, name))
  return names
    .filter((name) => contents[name] > 0)
    .map((name) => counted(contents[name], ...NOUNS[name]))
    .join(', ')
}
