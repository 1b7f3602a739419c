import type { IdText, VoiceSessionId } from '../../schema/ids.ts'
import { VOICE_ENDPOINTS } from '../endpoints/voice-endpoints.ts'
import type { ClaimedVoiceJob } from '../jobs/claim-job.ts'
import type { WorkerHeartbeat } from '../workers/heartbeat.ts'
import { requestNothing, requestObject } from './request.ts'
import type { VoiceServerAddress } from './send-request.ts'
import { VoiceServerError } from './voice-server-error.ts'
import { VoiceSessionConnection } from './voice-session-connection.ts'

/** The server, as a voice worker sees it. Every method throws VoiceServerError. */
export class VoiceServer {
  readonly #address: VoiceServerAddress

  constructor(address: VoiceServerAddress) {
    this.#address = address
  }

  /** Reports the state of the worker; returns the sessions that it must end. */
  async heartbeat(body: WorkerHeartbeat): Promise<readonly string[]> {
    return (await requestObject(this.#address, VOICE_ENDPOINTS.workerHeartbeat, { body })).end
  }

  /** Whether the worker may accept the job: false for a session that is over. */
  async mayAccept(sessionId: IdText<VoiceSessionId>, workerId: string): Promise<boolean> {
    try {
      await requestNothing(this.#address, VOICE_ENDPOINTS.acceptSession, { sessionId, body: { workerId } })
      return true
    } catch (error) {
      if (isOver(error)) return false
      throw error
    }
  }

  /** Claims the job of a session; null if it is over or another worker has it. */
  async claim(body: { sid: string; t: string }): Promise<ClaimedVoiceJob | null> {
    try {
      return await requestObject(this.#address, VOICE_ENDPOINTS.claimJob, { body })
    } catch (error) {
      if (isOver(error)) return null
      throw error
    }
  }

  /** The requests of a claimed session. */
  session({
    sessionId,
    sessionToken,
  }: Pick<ClaimedVoiceJob, 'sessionId' | 'sessionToken'>): VoiceSessionConnection {
    return new VoiceSessionConnection(this.#address, { sessionId, sessionToken })
  }
}

function isOver(error: unknown): boolean {
  return error instanceof VoiceServerError && (error.status === 409 || error.status === 410)
}
