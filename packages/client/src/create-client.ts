import { OPERATIONS } from '@troupe/contract'
import { call } from './call/call.ts'
import { type ClientOptions, connectionOf } from './call/options.ts'
import { createTransport } from './call/transport.ts'
import { resumeStreamCall, startStream } from './stream/stream-call.ts'

/**
 * Creates a typed client of the public API. Every call returns a `Result` and never throws for HTTP or
 * network errors; `unwrap` turns a result into its data or a `TroupeError`. Throws `TypeError` for unusable
 * options.
 */
export function createClient(options: ClientOptions) {
  const transport = createTransport(connectionOf(options))
  return {
    organization: {
      limits: call(transport, OPERATIONS.getOrganizationLimits),
    },
    agents: {
      list: call(transport, OPERATIONS.listAgents),
      create: call(transport, OPERATIONS.createAgent),
      get: call(transport, OPERATIONS.getAgent),
      update: call(transport, OPERATIONS.updateAgent),
      llmProviders: call(transport, OPERATIONS.listLlmProviders),
      run: call(transport, OPERATIONS.runAgent),
      cancelRun: call(transport, OPERATIONS.cancelAgentRun),
      stream: startStream(transport, OPERATIONS.runAgentStream, OPERATIONS.resumeAgentStream),
      resumeStream: resumeStreamCall(transport, OPERATIONS.resumeAgentStream),
      runAsync: call(transport, OPERATIONS.runAgentAsync),
      job: call(transport, OPERATIONS.getAgentJob),
      cancelJob: call(transport, OPERATIONS.cancelAgentJob),
    },
    teams: {
      run: call(transport, OPERATIONS.runTeamSync),
      cancelRun: call(transport, OPERATIONS.cancelTeamRun),
      stream: startStream(transport, OPERATIONS.runTeamStream, OPERATIONS.resumeTeamStream),
      resumeStream: resumeStreamCall(transport, OPERATIONS.resumeTeamStream),
      runAsync: call(transport, OPERATIONS.runTeamAsync),
      job: call(transport, OPERATIONS.getTeamJob),
      cancelJob: call(transport, OPERATIONS.cancelTeamJob),
    },
    workflows: {
      run: call(transport, OPERATIONS.runWorkflow),
      runAsync: call(transport, OPERATIONS.runWorkflowAsync),
      job: call(transport, OPERATIONS.getWorkflowJob),
      result: call(transport, OPERATIONS.getWorkflowJobResult),
      nodes: call(transport, OPERATIONS.listWorkflowJobNodes),
      cancelJob: call(transport, OPERATIONS.cancelWorkflowJob),
      pauseJob: call(transport, OPERATIONS.pauseWorkflowJob),
      resumeJob: call(transport, OPERATIONS.resumeWorkflowJob),
      reviews: call(transport, OPERATIONS.listWorkflowJobReviews),
    },
    usage: call(transport, OPERATIONS.getUsage),
    sessions: {
      list: call(transport, OPERATIONS.listSessions),
      get: call(transport, OPERATIONS.getSession),
      messages: call(transport, OPERATIONS.listSessionMessages),
      delete: call(transport, OPERATIONS.deleteSession),
    },
    memories: {
      list: call(transport, OPERATIONS.listMemories),
      delete: call(transport, OPERATIONS.deleteMemory),
      forgetUser: call(transport, OPERATIONS.forgetUser),
    },
    knowledgeBases: {
      list: call(transport, OPERATIONS.listKnowledgeBases),
      create: call(transport, OPERATIONS.createKnowledgeBase),
      get: call(transport, OPERATIONS.getKnowledgeBase),
      update: call(transport, OPERATIONS.updateKnowledgeBase),
      delete: call(transport, OPERATIONS.deleteKnowledgeBase),
      documents: call(transport, OPERATIONS.listKnowledgeDocuments),
      addDocument: call(transport, OPERATIONS.addKnowledgeDocument),
      document: call(transport, OPERATIONS.getKnowledgeDocument),
      deleteDocument: call(transport, OPERATIONS.deleteKnowledgeDocument),
      search: call(transport, OPERATIONS.searchKnowledgeBases),
    },
    tools: { test: call(transport, OPERATIONS.testTool) },
    skills: {
      list: call(transport, OPERATIONS.listSkills),
      upload: call(transport, OPERATIONS.uploadSkill),
      get: call(transport, OPERATIONS.getSkill),
      delete: call(transport, OPERATIONS.deleteSkill),
    },
    calls: { create: call(transport, OPERATIONS.createCall) },
    voiceAgents: {
      list: call(transport, OPERATIONS.listVoiceAgents),
      startSession: call(transport, OPERATIONS.startVoiceSession),
    },
    reviews: {
      list: call(transport, OPERATIONS.listReviews),
      get: call(transport, OPERATIONS.getReview),
      decide: call(transport, OPERATIONS.decideReview),
    },
  }
}

/** The client returned by `createClient`. */
export type TroupeClient = ReturnType<typeof createClient>
