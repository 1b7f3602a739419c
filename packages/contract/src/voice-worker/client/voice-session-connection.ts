import type { Static } from 'typebox'
import type { IdText, RunId, VoiceSessionId } from '../../schema/ids.ts'
import { RUN_ID_HEADER } from '../endpoint/internal-endpoint.ts'
import { VOICE_ENDPOINTS } from '../endpoints/voice-endpoints.ts'
import type { JobEnd } from '../sessions/end-session.ts'
import type { extendLease } from '../sessions/extend-lease.ts'
import type { SessionEvent } from '../sessions/session-events.ts'
import type { TranscriptItem } from '../turns/store-items.ts'
import type { TurnLine, TurnRequest } from '../turns/take-turn.ts'
import { linesOf } from './lines.ts'
import { requestNothing, requestObject } from './request.ts'
import { sendVoiceRequest, type VoiceServerAddress } from './send-request.ts'
import { VoiceServerError } from './voice-server-error.ts'

/** A turn that the server has started. */
export interface StartedTurn {
  /** null if the server did not name it. */
  runId: IdText<RunId> | null
  /** Ends after `done` or `error`. Throws VoiceServerError when the connection breaks before. */
  lines: AsyncIterable<TurnLine>
}

/** The requests of one claimed session. Every method throws VoiceServerError. */
export class VoiceSessionConnection {
  readonly #address: VoiceServerAddress
  readonly #session: { sessionId: IdText<VoiceSessionId>; sessionToken: string }

  constructor(
    address: VoiceServerAddress,
    session: { sessionId: IdText<VoiceSessionId>; sessionToken: string },
  ) {
    this.#address = address
    this.#session = session
  }

  ready(): Promise<void> {
    return requestNothing(this.#address, VOICE_ENDPOINTS.sessionReady, this.#session)
  }

  /** The server's events until it closes the stream or `signal` fires. Connect again for the rest. */
  async *events(signal: AbortSignal): AsyncGenerator<SessionEvent> {
    const request = { ...this.#session, signal }
    const response = await sendVoiceRequest(this.#address, VOICE_ENDPOINTS.sessionEvents, request)
    for await (const line of linesOf(bodyOf(response))) {
      if (line.startsWith('data: ')) yield JSON.parse(line.slice('data: '.length))
    }
  }

  /** Begins a turn. Aborting the signal closes the connection, which cancels the run. */
  async turn(body: TurnRequest, signal: AbortSignal): Promise<StartedTurn> {
    const request = { ...this.#session, body, signal }
    const response = await sendVoiceRequest(this.#address, VOICE_ENDPOINTS.takeTurn, request)
    return { runId: response.headers.get(RUN_ID_HEADER), lines: turnLines(response, signal) }
  }

  storeItems(items: readonly TranscriptItem[]): Promise<void> {
    return requestNothing(this.#address, VOICE_ENDPOINTS.storeItems, { ...this.#session, body: { items } })
  }

  extendLease(): Promise<Static<typeof extendLease.success.body>> {
    return requestObject(this.#address, VOICE_ENDPOINTS.extendLease, this.#session)
  }

  end(body: JobEnd): Promise<void> {
    return requestNothing(this.#address, VOICE_ENDPOINTS.endSession, { ...this.#session, body })
  }
}

function bodyOf(response: Response): AsyncIterable<Uint8Array> {
  if (response.body === null)
    throw new VoiceServerError(response.status, 'empty_body', 'The answer has no body.')
  return response.body
}

async function* turnLines(response: Response, signal: AbortSignal): AsyncGenerator<TurnLine> {
  try {
    for await (const text of linesOf(bodyOf(response))) {
      if (text === '') continue
      const line: TurnLine = JSON.parse(text)
      yield line
      if (line.t === 'done' || line.t === 'error') return
    }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof VoiceServerError) throw error
    throw new VoiceServerError(null, 'network_error', 'The connection broke during a turn.', { cause: error })
  }
  throw new VoiceServerError(null, 'network_error', 'The answer of a turn ended early.')
}
