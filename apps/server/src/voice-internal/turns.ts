import { createHash } from 'node:crypto'
import type { Runner, RunRequest } from '@troupe/agents'
import { canonicalJson, DomainError, type StreamEvent } from '@troupe/contract'
import { RUN_ID_HEADER, type TurnRequest, VOICE_ENDPOINTS } from '@troupe/contract/voice-worker'
import { onClosed } from '@troupe/http/connections/on-closed'
import type { App } from '@troupe/http/server-types'
import { resumeStream } from '@troupe/operations/runs/resume-stream'
import type { Database } from '@troupe/storage'
import { IN_FLIGHT_STATES, TurnLines, type VoiceParts, type VoiceSessionRecord } from '@troupe/voice'
import type { FastifyReply } from 'fastify'
import { refuseJob, registerSessionEndpoint } from './register-endpoint.ts'

/** Dependencies of turns. */
export interface TurnRoutes {
  parts: VoiceParts
  runner: Pick<Runner, 'stream'>
  database: Pick<Database, 'runs' | 'signals'>
}

/**
 * Each turn is a run of the session's agent, like every other run. Its number is its idempotency key: a repeated turn gets the
 * lines of the first. Closing the connection cancels the run.
 */
export function registerTurns(app: App, routes: TurnRoutes): void {
  const { sessions } = routes.parts.stores
  registerSessionEndpoint(
    app,
    sessions,
    VOICE_ENDPOINTS.takeTurn,
    async ({ session, body, request, reply }) => {
      if (!IN_FLIGHT_STATES.some((state) => state === session.sessionState)) return refuseJob(reply, 410)
      const path = request.url.split('?', 1)[0] ?? ''
      await answerTurn(routes, turnRequest(session, body, path, routes.parts.now()), reply)
    },
  )
}

/** A turn as a request for a run. The caller of the session is the run's user, if the session names one. */
function turnRequest(session: VoiceSessionRecord, body: TurnRequest, path: string, now: number): RunRequest {
  const { organizationId, projectId, apiKeyId, agentId, agentVersionId, endUserRef, kind } = session
  return {
    scope: { organizationId, projectId },
    apiKeyId,
    kind: 'agent',
    entityId: agentId,
    versionId: agentVersionId,
    message: body.text,
    sessionId: session.id,
    userId: endUserRef,
    includeMessages: false,
    tag: null,
    toolContext: {},
    output: null,
    source: 'voice',
    voice: { kind, language: body.language },
    acceptedAt: now,
    idempotency: {
      path,
      key: String(body.turnSeq),
      bodyHash: createHash('sha256').update(canonicalJson(body)).digest('hex'),
    },
  }
}

async function answerTurn({ runner, database, parts }: TurnRoutes, request: RunRequest, reply: FastifyReply) {
  const lines = new TurnLines()
  let write: ((event: StreamEvent) => void) | null = null
  const early: StreamEvent[] = []
  const started = await runner.stream(request, (event) => (write ? write(event) : early.push(event)))
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    'content-type': 'application/x-ndjson',
    'cache-control': 'no-cache, no-transform',
    [RUN_ID_HEADER]: started.runId,
  })
  raw.flushHeaders()
  raw.socket?.setNoDelay(true)
  const send = (event: StreamEvent) => {
    for (const line of lines.of(event)) raw.write(`${JSON.stringify(line)}\n`)
  }
  if (started.kind === 'accepted') {
    for (const event of early) send(event)
    write = send
    onClosed(raw, () => raw.writableFinished || started.run.disconnect())
    void started.run.executed.then(() => raw.end())
    return undefined
  }
  const gone = new AbortController()
  onClosed(raw, () => gone.abort())
  const { runs, signals } = database
  const path = { kind: request.kind, entityId: request.entityId, runId: started.runId, isPlayground: false }
  const following = { runs, signals, now: parts.now }
  try {
    for await (const event of await resumeStream(following, request.scope, path, 0, gone.signal)) send(event)
  } catch (error) {
    const code = error instanceof DomainError ? error.code : 'internal_error'
    raw.write(`${JSON.stringify({ t: 'error', code, message: 'The turn could not be replayed.' })}\n`)
  } finally {
    raw.end()
  }
}
