import type { AnswerOf, InputOf, OperationName } from '../../infrastructure/client/operation-types.ts'

/** What a picker asks of a list. */
export interface SearchQuery {
  limit: number
  /** Part of the name, or the start of the id. */
  q?: string
}

/** A list that may have thousands of things, and that the server searches. */
export interface SearchedList<Name extends OperationName, Thing> {
  operation: Name
  input(query: SearchQuery): InputOf<Name>
  things(answer: AnswerOf<Name>): readonly Thing[]
  idOf(thing: Thing): string
}

type Listed<Name extends OperationName> = SearchedList<
  Name,
  AnswerOf<Name> extends { data: readonly (infer Thing)[] } ? Thing : never
>

export const AGENTS: Listed<'listAgents'> = {
  operation: 'listAgents',
  input: (query) => ({ query: { ...query, sort: 'name' } }),
  things: ({ data }) => data,
  idOf: ({ agentId }) => agentId,
}

export const ACTIVE_AGENTS: Listed<'listAgents'> = {
  operation: 'listAgents',
  input: (query) => ({ query: { ...query, sort: 'name', status: 'active' } }),
  things: ({ data }) => data,
  idOf: ({ agentId }) => agentId,
}

export const TEAMS: Listed<'listTeams'> = {
  operation: 'listTeams',
  input: (query) => ({ query: { ...query, sort: 'name' } }),
  things: ({ data }) => data,
  idOf: ({ teamId }) => teamId,
}

export const WORKFLOWS: Listed<'listWorkflows'> = {
  operation: 'listWorkflows',
  input: (query) => ({ query: { ...query, sort: 'name' } }),
  things: ({ data }) => data,
  idOf: ({ workflowId }) => workflowId,
}

export const CREDENTIALS: Listed<'listCredentials'> = {
  operation: 'listCredentials',
  input: (query) => ({ query: { ...query, sort: 'name' } }),
  things: ({ data }) => data,
  idOf: ({ credentialId }) => credentialId,
}

export const MCP_SERVERS: Listed<'listMcpServers'> = {
  operation: 'listMcpServers',
  input: (query) => ({ query: { ...query, sort: 'name' } }),
  things: ({ data }) => data,
  idOf: ({ mcpServerId }) => mcpServerId,
}

export const KNOWLEDGE_BASES: Listed<'listKnowledgeBases'> = {
  operation: 'listKnowledgeBases',
  input: (query) => ({ query: { ...query } }),
  things: ({ data }) => data,
  idOf: ({ knowledgeBaseId }) => knowledgeBaseId,
}

export const SKILLS: Listed<'listSkills'> = {
  operation: 'listSkills',
  input: (query) => ({ query: { ...query } }),
  things: ({ data }) => data,
  idOf: ({ skillId }) => skillId,
}

export const VOICE_CONFIGURATIONS: Listed<'listVoiceConfigurations'> = {
  operation: 'listVoiceConfigurations',
  input: (query) => ({ query: { ...query, sort: 'name' } }),
  things: ({ data }) => data,
  idOf: ({ voiceConfigId }) => voiceConfigId,
}
