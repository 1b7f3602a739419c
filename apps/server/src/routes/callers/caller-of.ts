import type { Scope } from '@troupe/agents/ports'
import type { Operation } from '@troupe/contract'
import type { Actor } from '@troupe/database'
import type { OperationCall } from '../../http/operation-call.ts'

/** Who calls an operation that the public API and the builder both have. */
export function callerOf(call: OperationCall<Operation>): { scope: Scope; actor: Actor } {
  const { builderCaller } = call.request
  return builderCaller
    ? { scope: builderCaller, actor: builderCaller.actor }
    : { scope: call.principal, actor: call.actor }
}
