import multipart from '@fastify/multipart'
import { Ledger } from '@troupe/agents'
import type { ModelAttempt } from '@troupe/agents/ports'
import {
  DomainError,
  type IdText,
  type KnowledgeBaseId,
  MAX_DOCUMENT_BODY_BYTES,
  newId,
  OPERATIONS,
  RunId,
} from '@troupe/contract'
import { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import { registerOperation } from '@troupe/http/operation'
import type { OperationCall } from '@troupe/http/operation-call'
import { receiveUpload } from '@troupe/http/receive-upload'
import type { App } from '@troupe/http/server-types'
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
import { searchKnowledgeBases } from '@troupe/operations/knowledge/search-knowledge-bases'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../wiring/context.ts'
import { callerOf, scopeOfList } from '../callers/caller-of.ts'

/** Dependencies of the knowledge base routes. */
export type KnowledgeRoutes = Pick<Context, 'database' | 'newId' | 'knowledge' | 'slowUploads'>

const MB = 1024 * 1024
const SEARCH_MS = 25_000

type Surface = typeof OPERATIONS | typeof BUILDER_OPERATIONS

/** Knowledge bases, for callers of the public API and members. */
export function registerKnowledge(app: App, parts: KnowledgeRoutes): void {
  for (const operations of [OPERATIONS, BUILDER_OPERATIONS]) {
    registerBases(app, parts, operations)
    registerDocuments(app, parts, operations)
    registerSearch(app, parts, operations)
  }
}

function registerSearch(app: App, parts: KnowledgeRoutes, operations: Surface): void {
  registerOperation(app, operations.searchKnowledgeBases, async (call) => {
    const { scope } = callerOf(call)
    const ledger = new Ledger()
    const onAttempt = (attempt: ModelAttempt) =>
      void ledger.add(attempt, 'embedding', null, { agentId: null, memberRunId: null })
    const signal = AbortSignal.timeout(SEARCH_MS)
    try {
      return await searchKnowledgeBases(parts.knowledge.search, scope, call.body, onAttempt, signal)
    } finally {
      const { organizationId, projectId } = scope
      const caller = { runId: newId(RunId), organizationId, projectId, userId: '', tag: null }
      await parts.database.runs.recordUsage({ ...caller, usage: ledger.unwritten })
    }
  })
}

function registerBases(app: App, { database, newId, knowledge }: KnowledgeRoutes, operations: Surface): void {
  const { read } = database
  registerOperation(app, operations.listKnowledgeBases, (call) =>
    listKnowledgeBases(read, scopeOfList(call), call.query),
  )
  registerOperation(
    app,
    operations.createKnowledgeBase,
    (call) => createKnowledgeBase({ database, newId }, callerOf(call).scope, callerOf(call).actor, call.body),
    { ignoredForProjectKeys: ['projectId'] },
  )
  registerOperation(app, operations.getKnowledgeBase, (call) =>
    getKnowledgeBase(read, callerOf(call).scope, call.params.knowledgeBaseId),
  )
  registerOperation(app, operations.updateKnowledgeBase, (call) =>
    updateKnowledgeBase(
      { database },
      callerOf(call).scope,
      callerOf(call).actor,
      call.params.knowledgeBaseId,
      call.body,
    ),
  )
  registerOperation(app, operations.deleteKnowledgeBase, async (call) => {
    const { deleteFiles } = knowledge
    const { knowledgeBaseId } = call.params
    await deleteKnowledgeBase(
      { database, deleteFiles },
      callerOf(call).scope,
      callerOf(call).actor,
      knowledgeBaseId,
    )
    return null
  })
}

function registerDocuments(app: App, parts: KnowledgeRoutes, operations: Surface): void {
  const { database, knowledge } = parts
  const { read } = database
  registerOperation(app, operations.listKnowledgeDocuments, (call) =>
    listKnowledgeDocuments(read, callerOf(call).scope, call.params.knowledgeBaseId, call.query),
  )
  registerOperation(app, operations.getKnowledgeDocument, (call) =>
    getKnowledgeDocument(read, callerOf(call).scope, call.params),
  )
  registerOperation(app, operations.deleteKnowledgeDocument, async (call) => {
    const { deleteFiles } = knowledge
    await deleteKnowledgeDocument(
      { database, deleteFiles },
      callerOf(call).scope,
      callerOf(call).actor,
      call.params,
    )
    return null
  })
  // A separate scope: only this route accepts files, beside JSON.
  app.register(async (scope) => {
    scope.register(multipart)
    const options = { maxBodyBytes: MAX_DOCUMENT_BODY_BYTES }
    const add = async (call: OperationCall<Surface['addKnowledgeDocument']>, reply: FastifyReply) => {
      const { request, params, body } = call
      const caller = callerOf(call)
      const base = params.knowledgeBaseId
      const added = request.isMultipart()
        ? await addFile(parts, request, caller, base)
        : await addKnowledgeDocument({ ...parts, ...knowledge }, caller.scope, caller.actor, base, body)
      return answer(added, reply)
    }
    registerOperation(scope, operations.addKnowledgeDocument, add, options)
  })
}

/** 200 for content that the base already has. */
function answer({ document, queued }: AddedDocument, reply: FastifyReply): AddedDocument['document'] {
  if (!queued) reply.statusCode = 200
  return document
}

async function addFile(
  parts: KnowledgeRoutes,
  request: FastifyRequest,
  { scope, actor }: ReturnType<typeof callerOf>,
  knowledgeBaseId: IdText<KnowledgeBaseId>,
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
  return await addKnowledgeFile({ ...parts, ...knowledge }, scope, actor, knowledgeBaseId, { filename, file })
}
