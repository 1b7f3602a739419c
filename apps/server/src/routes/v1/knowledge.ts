import { randomUUID } from 'node:crypto'
import multipart from '@fastify/multipart'
import { Ledger } from '@troupe/agents'
import type { ModelAttempt, Scope } from '@troupe/agents/ports'
import { asId, DomainError, OPERATIONS } from '@troupe/contract'
import {
  type AddedDocument,
  addKnowledgeDocument,
  addKnowledgeFile,
  named,
} from '@troupe/operations/knowledge/add-knowledge-document'
import {
  createKnowledgeBase,
  deleteKnowledgeBase,
  updateKnowledgeBase,
} from '@troupe/operations/knowledge/change-knowledge-base'
import { deleteKnowledgeDocument } from '@troupe/operations/knowledge/delete-knowledge-document'
import {
  getKnowledgeBase,
  getKnowledgeDocument,
  listKnowledgeBases,
  listKnowledgeDocuments,
} from '@troupe/operations/knowledge/read-knowledge'
import { searchKnowledgeBases } from '@troupe/operations/knowledge/search-knowledge'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { registerOperation } from '../../http/operation.ts'
import { receiveUpload } from '../../http/receive-upload.ts'
import type { App } from '../../http/server-types.ts'
import type { Context } from '../../wiring/context.ts'

/** Dependencies of the routes of knowledge bases. */
export type KnowledgeRoutes = Pick<Context, 'database' | 'newId' | 'knowledge' | 'slowUploads'>

const MB = 1024 * 1024
const SEARCH_MS = 25_000

export function registerKnowledge(app: App, parts: KnowledgeRoutes): void {
  registerBases(app, parts)
  registerDocuments(app, parts)
  registerOperation(app, OPERATIONS.searchKnowledgeBases, async (call) => {
    const ledger = new Ledger()
    const onAttempt = (attempt: ModelAttempt) =>
      void ledger.add(attempt, 'embedding', null, { agentId: null, memberRunId: null })
    const signal = AbortSignal.timeout(SEARCH_MS)
    try {
      return await searchKnowledgeBases(parts.knowledge.search, call.principal, call.body, onAttempt, signal)
    } finally {
      const { organizationId, projectId } = call.principal
      const caller = { runId: asId(randomUUID()), organizationId, projectId, userId: '', tag: null }
      await parts.database.runs.recordUsage({ ...caller, usage: ledger.unwritten })
    }
  })
}

function registerBases(app: App, { database, newId, knowledge }: KnowledgeRoutes): void {
  const { read } = database
  registerOperation(app, OPERATIONS.listKnowledgeBases, (call) =>
    listKnowledgeBases(read, call.principal, call.query),
  )
  registerOperation(
    app,
    OPERATIONS.createKnowledgeBase,
    (call) => createKnowledgeBase({ database, newId }, call.principal, call.actor, call.body),
    { ignoredForProjectKeys: ['projectId'] },
  )
  registerOperation(app, OPERATIONS.getKnowledgeBase, (call) =>
    getKnowledgeBase(read, call.principal, call.params.knowledgeBaseId),
  )
  registerOperation(app, OPERATIONS.updateKnowledgeBase, (call) =>
    updateKnowledgeBase({ database }, call.principal, call.actor, call.params.knowledgeBaseId, call.body),
  )
  registerOperation(app, OPERATIONS.deleteKnowledgeBase, async (call) => {
    const { deleteFiles } = knowledge
    const { knowledgeBaseId } = call.params
    await deleteKnowledgeBase({ database, deleteFiles }, call.principal, call.actor, knowledgeBaseId)
    return null
  })
}

function registerDocuments(app: App, parts: KnowledgeRoutes): void {
  const { database, knowledge } = parts
  const { read } = database
  registerOperation(app, OPERATIONS.listKnowledgeDocuments, (call) =>
    listKnowledgeDocuments(read, call.principal, call.params.knowledgeBaseId, call.query),
  )
  registerOperation(app, OPERATIONS.getKnowledgeDocument, (call) =>
    getKnowledgeDocument(read, call.principal, call.params),
  )
  registerOperation(app, OPERATIONS.deleteKnowledgeDocument, async (call) => {
    const { deleteFiles } = knowledge
    await deleteKnowledgeDocument({ database, deleteFiles }, call.principal, call.actor, call.params)
    return null
  })
  // A scope of its own: only this route takes files, beside JSON.
  app.register(async (scope) => {
    scope.register(multipart)
    registerOperation(scope, OPERATIONS.addKnowledgeDocument, async (call, reply) => {
      const { request, principal, params, body } = call
      const base = params.knowledgeBaseId
      const added = request.isMultipart()
        ? await addFile(parts, request, principal, base)
        : await addKnowledgeDocument({ ...parts, ...knowledge }, principal, base, body)
      return answer(added, reply)
    })
  })
}

/** Content that the base has already is 200. */
function answer({ document, queued }: AddedDocument, reply: FastifyReply): AddedDocument['document'] {
  if (!queued) reply.statusCode = 200
  return document
}

async function addFile(
  parts: KnowledgeRoutes,
  request: FastifyRequest,
  scope: Scope,
  knowledgeBaseId: string,
): Promise<AddedDocument> {
  const { database, knowledge, slowUploads } = parts
  // Before the bytes are read.
  await getKnowledgeBase(database.read, scope, knowledgeBaseId)
  slowUploads.admit(request)
  const { incoming, maxFileBytes } = knowledge
  const limit = `A document may have at most ${maxFileBytes / MB} MB.`
  const received = await receiveUpload(request, {
    incoming,
    maxBytes: maxFileBytes,
    nameOf: named,
    rejected: (reason, cause) =>
      cause === undefined
        ? new DomainError('payload_too_large', `${reason} ${limit}`)
        : new DomainError('storage_unavailable', reason, { cause }),
  })
  await using file = received.file
  const { filename } = received
  return await addKnowledgeFile({ ...parts, ...knowledge }, scope, knowledgeBaseId, { filename, file })
}
