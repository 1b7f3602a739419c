import { createHash } from 'node:crypto'
import {
  canonicalJson,
  DomainError,
  type IdText,
  parseId,
  WorkflowId,
  type WorkflowRunBody,
} from '@troupe/contract'
import type { WorkflowRunRequest } from '@troupe/workflows'
import type { Principal } from '../access/principal.ts'

/** A request to run a workflow, without its body. */
export interface WorkflowRunCall {
  principal: Principal
  /** The path parameter, unchecked. */
  workflowId: IdText<WorkflowId>
  /** Milliseconds since the epoch at which the request arrived. */
  acceptedAt: number
  /** Path of the request without its query. */
  path: string
  /** The `Idempotency-Key` header, or null. */
  idempotencyKey: string | null
}

/**
 * The runtime's request for a checked body.
 *
 * @throws DomainError `workflow_not_found` for a malformed id.
 */
export function workflowRunRequest(
  call: WorkflowRunCall,
  body: WorkflowRunBody,
  source: 'api_sync' | 'api_async',
): WorkflowRunRequest {
  const workflowId = parseId(WorkflowId, call.workflowId)
  if (workflowId === null) {
    throw new DomainError('workflow_not_found', 'Workflow not found in this organization.')
  }
  const { principal, path, idempotencyKey } = call
  return {
    scope: principal,
    workflowId,
    versionId: null,
    source,
    firedNodeId: null,
    scheduledFor: null,
    input: body.input ?? {},
    apiKeyId: principal.keyId,
    startedByUserId: null,
    idempotency: idempotencyKey === null ? null : { path, key: idempotencyKey, bodyHash: hashOf(body) },
    createdAt: call.acceptedAt,
  }
}

function hashOf(body: WorkflowRunBody): string {
  return createHash('sha256').update(canonicalJson(body)).digest('hex')
}
