import type { AnswerOf, InputOf, OperationName } from '../../infrastructure/client/operation-types.ts'

/** A picker's query of a list. */
export interface SearchQuery {
  limit: number
  /** Part of the name, or the start of the id. */
  q?: string
}

/** A list that may have thousands of resources, searched by the server. */
export interface SearchedList<Name extends OperationName, Thing> {
  operation: Name
  input(query: SearchQuery): InputOf<Name>
  things(answer: AnswerOf<Name>): readonly Thing[]
  idOf(thing: Thing): string
  /** The field that the server searches, besides the start of its id. */
  nameOf(thing: Thing): string
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
  nameOf: ({ name }) => name,
}

export const ACTIVE_AGENTS: Listed<'listAgents'> = {
  operation: 'listAgents',
  input: (query) => ({ query: { ...query, sort: 'name', status: 'active' } }),
  things: ({ data }) => data,
  idOf: ({ agentId }) => agentId,
  nameOf: ({ name }) => name,
}

export const TEAMS: Listed<'listTeams'> = {
  operation: 'listTeams',
  input: (query) => ({ query: { ...query, sort: 'name' } }),
  things: ({ data }) => data,
  idOf: ({ teamId }) => teamId,
  nameOf: ({ name }) => name,
}

export const WORKFLOWS: Listed<'listWorkflows'> = {
  operation: 'listWorkflows',
  input: (query) => ({ query: { ...query, sort: 'name' } }),
  things: ({ data }) => data,
  idOf: ({ workflowId }) => workflowId,
  nameOf: ({ name }) => name,
}

export const CREDENTIALS: Listed<'listCredentials'> = {
  operation: 'listCredentials',
  input: (query) => ({ query: { ...query, sort: 'name' } }),
  things: ({ data }) => data,
  idOf: ({ credentialId }) => credentialId,
  nameOf: ({ name }) => name,
}

export const MCP_SERVERS: Listed<'listMcpServers'> = {
  operation: 'listMcpServers',
  input: (query) => ({ query: { ...query, sort: 'name' } }),
  things: ({ data }) => data,
  idOf: ({ mcpServerId }) => mcpServerId,
  nameOf: ({ name }) => name,
}

export const KNOWLEDGE_BASES: Listed<'listKnowledgeBases'> = {
  operation: 'listKnowledgeBases',
  input: (query) => ({ query: { ...query } }),
  things: ({ data }) => data,
  idOf: ({ knowledgeBaseId }) => knowledgeBaseId,
  nameOf: ({ name }) => name,
}

export const SKILLS: Listed<'listSkills'> = {
  operation: 'listSkills',
  input: (query) => ({ query: { ...query } }),
  things: ({ data }) => data,
  idOf: ({ skillId }) => skillId,
  nameOf: ({ slug }) => slug,
}

export const VOICE_CONFIGURATIONS: Listed<'listVoiceConfigurations'> = {
  operation: 'listVoiceConfigurations',
  input: (query) => ({ query: { ...query, sort: 'name' } }),
  things: ({ data }) => data,
  idOf: ({ voiceConfigId }) => voiceConfigId,
  nameOf: ({ agentName }) => agentName,
}
