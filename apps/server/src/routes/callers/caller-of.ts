import type { Scope } from '@troupe/agents/ports'
import { type Operation, ProjectId, parseId, propertyOf } from '@troupe/contract'
import type { OperationCall } from '@troupe/http/operation-call'
import type { Actor } from '@troupe/storage'

/** The caller of an operation that the public API and the builder share. */
export function callerOf(call: OperationCall<Operation>): { scope: Scope; actor: Actor } {
  const { builderCaller } = call.request
  return builderCaller
    ? { scope: builderCaller, actor: builderCaller.actor }
    : { scope: call.principal, actor: call.actor }
}

/** The scope of a list: members narrow it to a project by `projectId`, keys are bound to one. */
export function scopeOfList(call: OperationCall<Operation>): Scope {
  const { scope } = callerOf(call)
  const projectId = propertyOf(call.query, 'projectId')
  if (!call.request.builderCaller || typeof projectId !== 'string') return scope
  return { organizationId: scope.organizationId, projectId: parseId(ProjectId, projectId) }
}
