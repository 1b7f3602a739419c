import type { OperationId } from '@troupe/contract'
import { seedCalls } from '../server/seed-calls.ts'
import type { TestServer } from '../server/start-test-server.ts'
import { type AccessRequest, type AccessRow, listRow, ownerAt, type Place, placedRow } from './access-row.ts'
import {
  approvalAccess,
  entityRow,
  jobRow,
  knowledgeRow,
  memoryRow,
  RUN_BODY,
  reviewRow,
  runRow,
  sessionRow,
  skillRow,
} from './resource-rows.ts'

/** A chat completion of an agent in that place. */
const completionOf = (server: TestServer, place: Place): AccessRequest => ({
  path: '/api/v1/openai/chat/completions',
  body: { model: server.seed.agents[place], messages: [{ role: 'user', content: 'hello' }] },
})

/** One row per route of an external protocol. They have no operation. */
export const PROTOCOL_TABLE: Record<string, AccessRow> = {
  'GET /api/v1/openai/models': listRow('/api/v1/openai/models'),
  'POST /api/v1/openai/chat/completions': placedRow(completionOf, 'model_not_found'),
  // Clients call tools by name, and see only those of their key.
  'POST /api/v1/mcp': listRow('/api/v1/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
}

/** A voice session of an agent in that place: unknown and foreign ids are indistinguishable. */
const voiceSessionOf = (server: TestServer, place: Place): AccessRequest => ({
  path: `/api/v1/voice-agents/${server.seed.agents[place]}/sessions`,
  body: { participantIdentity: 'caller' },
})

/** A call on a trunk in that place: its id is in the body. */
const callOn = async (server: TestServer, place: Place): Promise<AccessRequest> => {
  const { trunkId, phoneNumberId } = await seedCalls(server.context.database, {
    ...ownerAt(server, place),
    agentId: server.seed.agents[place],
  })
  return { path: '/api/v1/calls', body: { trunkId, to: '+442079460999', phoneNumberId } }
}

const basePath = (id: string) => `/api/v1/knowledge-bases/${id}`

/** One row per operation of the public API; a new operation without a row does not compile. */
export const ACCESS_TABLE: Record<OperationId, AccessRow> = {
  getOrganizationLimits: listRow('/api/v1/organizations/limits'),
  listAgents: listRow('/api/v1/agents'),
  createAgent: listRow('/api/v1/agents', { name: 'Access' }),
  listLlmProviders: listRow('/api/v1/agents/llm-providers'),
  getAgent: entityRow('agent', ''),
  updateAgent: entityRow('agent', '', { name: 'Access' }),
  runAgent: entityRow('agent', '/run', RUN_BODY),
  runAgentStream: entityRow('agent', '/run-stream', RUN_BODY),
  resumeAgentStream: runRow('agent', '/stream'),
  cancelAgentRun: runRow('agent', ''),
  runAgentAsync: entityRow('agent', '/run-async', RUN_BODY),
  getAgentJob: jobRow('agent', ''),
  cancelAgentJob: jobRow('agent', '/cancel'),
  runTeamSync: entityRow('team', '/run-sync', RUN_BODY),
  runTeamStream: entityRow('team', '/run-stream', RUN_BODY),
  resumeTeamStream: runRow('team', '/stream'),
  cancelTeamRun: runRow('team', ''),
  runTeamAsync: entityRow('team', '/run-async', RUN_BODY),
  getTeamJob: jobRow('team', ''),
  cancelTeamJob: jobRow('team', '/cancel'),
  runWorkflow: entityRow('workflow', '/run', {}),
  runWorkflowAsync: entityRow('workflow', '/run-async', {}),
  getWorkflowJob: jobRow('workflow', ''),
  cancelWorkflowJob: jobRow('workflow', '/cancel'),
  getWorkflowJobResult: jobRow('workflow', '/result'),
  listWorkflowJobNodes: jobRow('workflow', '/nodes'),
  pauseWorkflowJob: jobRow('workflow', '/pause'),
  resumeWorkflowJob: jobRow('workflow', '/resume'),
  listWorkflowJobReviews: jobRow('workflow', '/reviews'),
  listReviews: listRow('/api/v1/reviews'),
  getReview: reviewRow(''),
  decideReview: reviewRow('/decision', { decision: 'approve' }),
  listApprovals: listRow('/api/v1/approvals'),
  resolveApproval: approvalAccess('/resolve', { decision: 'reject' }),
  getUsage: listRow('/api/v1/usage'),
  listSessions: listRow('/api/v1/sessions'),
  getSession: sessionRow(''),
  listSessionMessages: sessionRow('/messages'),
  deleteSession: sessionRow(''),
  listMemories: listRow('/api/v1/memories'),
  deleteMemory: memoryRow(),
  forgetUser: listRow('/api/v1/memories?user_id=nobody'),
  listKnowledgeBases: listRow('/api/v1/knowledge-bases'),
  createKnowledgeBase: listRow('/api/v1/knowledge-bases', { name: 'Access' }),
  getKnowledgeBase: knowledgeRow(({ baseId }) => ({ path: basePath(baseId) })),
  updateKnowledgeBase: knowledgeRow(({ baseId }) => ({ path: basePath(baseId), body: { name: 'Other' } })),
  deleteKnowledgeBase: knowledgeRow(({ baseId }) => ({ path: basePath(baseId) })),
  listKnowledgeDocuments: knowledgeRow(({ baseId }) => ({ path: `${basePath(baseId)}/documents` })),
  addKnowledgeDocument: knowledgeRow(({ baseId }) => ({
    path: `${basePath(baseId)}/documents`,
    body: { name: 'b.md', text: 'Access' },
  })),
  getKnowledgeDocument: {
    ...knowledgeRow(({ baseId, documentId }) => ({ path: `${basePath(baseId)}/documents/${documentId}` })),
  },
  deleteKnowledgeDocument: {
    ...knowledgeRow(({ baseId, documentId }) => ({ path: `${basePath(baseId)}/documents/${documentId}` })),
  },
  searchKnowledgeBases: {
    ...knowledgeRow(({ baseId }) => ({
      path: '/api/v1/knowledge-bases/search',
      body: { base_ids: [baseId], query: 'access' },
    })),
    // The id is in the body: a path without an id has no unknown one to compare with.
    otherOrganization: null,
  },
  testTool: listRow('/api/v1/tools/test', {
    tool: { type: 'builtin', builtin: 'calculator' },
    arguments: { expression: '1' },
  }),
  listSkills: listRow('/api/v1/skills'),
  uploadSkill: listRow('/api/v1/skills', {
    files: { 'SKILL.md': '---\nname: access\ndescription: Access.\n---\n' },
  }),
  getSkill: skillRow(),
  deleteSkill: skillRow(),
  listVoiceAgents: listRow('/api/v1/voice-agents'),
  startVoiceSession: placedRow(voiceSessionOf, 'forbidden'),
  createCall: placedRow(callOn, 'forbidden'),
}
