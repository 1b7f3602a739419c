import { OPERATIONS } from '@troupe/contract'
import { deleteMemory, forgetUser } from '@troupe/operations/memories/forget'
import { listMemories } from '@troupe/operations/memories/read-memories'
import { registerOperation } from '../../http/operation.ts'
import type { App } from '../../http/server-types.ts'
import type { Context } from '../../wiring/context.ts'

export function registerMemories(app: App, { database }: Pick<Context, 'database'>): void {
  registerOperation(app, OPERATIONS.listMemories, (call) =>
    listMemories(database.read, call.principal, call.query),
  )
  registerOperation(app, OPERATIONS.deleteMemory, async (call) => {
    await deleteMemory({ database }, call.principal, call.actor, call.params.memoryId)
    return null
  })
  registerOperation(app, OPERATIONS.forgetUser, async (call) => {
    await forgetUser({ database }, call.principal, call.actor, call.query.user_id)
    return null
  })
}
