import { OPERATIONS } from '@troupe/contract'
import { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import { registerOperation } from '@troupe/http/operation'
import type { App } from '@troupe/http/server-types'
import { deleteMemory, forgetUser } from '@troupe/operations/memories/forget'
import { listMemories } from '@troupe/operations/memories/read-memories'
import type { Context } from '../../wiring/context.ts'
import { callerOf } from '../callers/caller-of.ts'

type Surface = typeof OPERATIONS | typeof BUILDER_OPERATIONS

/** Memories of agents, for callers of the public API and members. */
export function registerMemories(app: App, parts: Pick<Context, 'database'>): void {
  for (const operations of [OPERATIONS, BUILDER_OPERATIONS]) registerOn(app, parts, operations)
}

function registerOn(app: App, { database }: Pick<Context, 'database'>, operations: Surface): void {
  registerOperation(app, operations.listMemories, (call) =>
    listMemories(database.read, callerOf(call).scope, call.query),
  )
  registerOperation(app, operations.deleteMemory, async (call) => {
    await deleteMemory({ database }, callerOf(call).scope, callerOf(call).actor, call.params.memoryId)
    return null
  })
  registerOperation(app, operations.forgetUser, async (call) => {
    await forgetUser({ database }, callerOf(call).scope, callerOf(call).actor, call.query.user_id)
    return null
  })
}
