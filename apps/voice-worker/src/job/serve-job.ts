import { setTimeout as pause } from 'node:timers/promises'
import { AutoSubscribe, type JobContext, log, type VAD } from '@livekit/agents'
import {
  type ClaimedVoiceJob,
  type JobEnd,
  readDispatchMetadata,
  type VoiceServer,
  VoiceServerError,
} from '@troupe/contract/voice-worker'
import type { ProcessGuard } from '@troupe/safe-fetch/guard-process'
import { RoomMedia } from '../media/room-media.ts'
import { ReportedJob } from '../session/reported-job.ts'
import { isParentOrder } from '../worker/child-messages.ts'
import { followServer } from './follow-server.ts'
import { LiveSession } from './live-session.ts'
import { watchRoom } from './watch-room.ts'

const ATTEMPTS = 4
const PAUSE_MS = 500

/** The resources prepared by a child for its job. */
export interface PreparedChild {
  vad: VAD
  guard: Pick<ProcessGuard, 'allow' | 'isService'>
}

/** Serves the session of a job, from its claim to its end. */
export async function serveJob(
  context: JobContext,
  server: VoiceServer,
  { vad, guard }: PreparedChild,
): Promise<void> {
  const startedAt = Date.now()
  const metadata = readDispatchMetadata(context.job.metadata)
  if (!metadata) return context.shutdown('the dispatch is not ours')
  const status = new ReportedJob(
    { sid: metadata.sid, attempt: metadata.n },
    (message) => process.connected && process.send?.(message),
  )
  const claimed = await patiently('the job could not be claimed', () => server.claim(metadata))
  if (!claimed) {
    status.endReported()
    return context.shutdown('the session is over or another worker has it')
  }
  guard.allow(claimed.allowedNetworks)
  const connection = server.session(claimed)
  const assembled = LiveSession.assemble({
    claimed: withoutOwnServices(claimed, guard),
    connection,
    media: new RoomMedia(context.room),
    vad,
    status,
    startedAt,
    claimedAt: Date.now(),
    exit: (reason) => context.shutdown(reason),
  })
  const live = await assembled.catch(async (error: unknown) => {
    log().error({ error }, 'the providers of the session could not be set up')
    await patiently('the end of the session could not be reported', () =>
      connection.end(unassembled(startedAt)),
    )
    status.endReported()
    context.shutdown('provider_error')
    return null
  })
  if (live === null) return
  context.addShutdownCallback(() => live.end('worker_draining'))
  process.on('message', (message) => {
    if (isParentOrder(message)) void (message.order === 'end' ? live.leave() : live.end('worker_draining'))
  })
  try {
    await context.connect(undefined, AutoSubscribe.AUDIO_ONLY)
    watchRoom(context.room, live)
    await live.start()
    await patiently('the server could not be notified of the agent', () => connection.ready())
    status.change({ state: 'ready' })
    void followServer(connection, live)
    await live.greet(() => context.waitForParticipant(claimed.participantIdentity))
  } catch (error) {
    if (live.ended.aborted) return
    // Handled like a crash of this process, so that the attempts are counted; a handover by a draining worker is not.
    log().error({ error }, 'the session could not be served')
    await live.abandon()
  }
}

/** The job without providers at the address of a service that this process may reach on the operator's behalf. */
function withoutOwnServices(
  claimed: ClaimedVoiceJob,
  guard: Pick<ProcessGuard, 'isService'>,
): ClaimedVoiceJob {
  const isForeign = ({ baseUrl }: { baseUrl: string | null }) => baseUrl === null || !guard.isService(baseUrl)
  return { ...claimed, stt: claimed.stt.filter(isForeign), tts: claimed.tts.filter(isForeign) }
}

/** The end of a session with unusable providers, such as one without a key: another worker would fail too. */
function unassembled(startedAt: number): JobEnd {
  const timings = { readyMs: null, firstAudioMs: null, durationMs: Date.now() - startedAt }
  return { reason: 'provider_error', usage: [], failoverUsed: false, timings }
}

/** Retries while the server is unreachable, such as during its replacement. */
async function patiently<T>(failure: string, ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask()
    } catch (error) {
      const mayPass = error instanceof VoiceServerError && (error.status === null || error.status >= 500)
      log().warn({ error, attempt }, failure)
      if (!mayPass || attempt >= ATTEMPTS) throw error
      await pause(attempt * PAUSE_MS)
    }
  }
}
