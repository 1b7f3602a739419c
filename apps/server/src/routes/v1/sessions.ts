import { OPERATIONS } from '@troupe/contract'
import { registerOperation } from '@troupe/http/operation'
import type { App } from '@troupe/http/server-types'
import { deleteSession } from '@troupe/operations/sessions/delete-session'
import { getSession, listSessionMessages, listSessions } from '@troupe/operations/sessions/read-sessions'
import type { Context } from '../../wiring/context.ts'

export function registerSessions(app: App, { database }: Pick<Context, 'database'>): void {
  const { read } = database
  registerOperation(app, OPERATIONS.listSessions, (call) => listSessions(read, call.principal, call.query))
  registerOperation(app, OPERATIONS.getSession, (call) =>
    getSession(read, call.principal, call.params.sessionId, call.query),
  )
  registerOperation(app, OPERATIONS.listSessionMessages, (call) =>
    listSessionMessages(read, call.principal, call.params.sessionId, call.query),
  )
  registerOperation(app, OPERATIONS.deleteSession, async (call) => {
    await deleteSession({ database }, call.principal, call.actor, call.params.sessionId, call.query)
    return null
  })
}
