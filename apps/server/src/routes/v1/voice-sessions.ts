import { OPERATIONS } from '@troupe/contract'
import { registerOperation } from '@troupe/http/operation'
import type { App } from '@troupe/http/server-types'
import { listVoiceAgents } from '@troupe/operations/voice-sessions/list-voice-agents'
import { startVoiceSession } from '@troupe/operations/voice-sessions/start-voice-session'
import type { Context } from '../../wiring/context.ts'

/** Registers the routes of voice agents and their sessions. */
export function registerVoiceSessions(
  app: App,
  { database: { read }, voice: { parts, connected } }: Pick<Context, 'database' | 'voice'>,
): void {
  const publicWsUrl = connected?.config.publicWsUrl ?? ''
  const starts = { read, voice: parts, publicWsUrl }
  registerOperation(
    app,
    OPERATIONS.listVoiceAgents,
    (call) => listVoiceAgents(read, call.principal, call.query),
    { ignoredForProjectKeys: ['projectRefId'] },
  )
  registerOperation(app, OPERATIONS.startVoiceSession, (call) =>
    startVoiceSession(starts, call.principal, call.params.agentId, call.body),
  )
}
