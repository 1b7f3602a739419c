import type { AddressInfo } from 'node:net'
import { propertyOf } from '@troupe/contract'
import {
  type ClaimedVoiceJob,
  readDispatchMetadata,
  type TurnLine,
  type TurnRequest,
  VoiceServer,
} from '@troupe/contract/voice-worker'
import { INTERNAL_TOKEN, openVoice, type VoiceSetting } from './voice-setting.ts'

/** A server with voice whose internal listener is reached over HTTP, and a worker connected to it. */
export interface WorkerSetting extends AsyncDisposable {
  voice: VoiceSetting
  worker: VoiceServer
  /** Starts a session with a separate key, and returns its id. */
  started(body?: object): Promise<string>
  /** Starts a session and claims its job. */
  claimed(body?: object): Promise<ClaimedVoiceJob>
  /** The one-time token in the newest dispatch of a session. */
  jobToken(sessionId: string): string
  /** The lines of a whole turn. */
  turn(job: ClaimedVoiceJob, request: Partial<TurnRequest> & { text: string }): Promise<TurnLine[]>
  url: string
}

export async function openWorkerSetting(): Promise<WorkerSetting> {
  await using resources = new AsyncDisposableStack()
  const voice = resources.use(await openVoice())
  await voice.internal.listen({ host: '127.0.0.1', port: 0 })
  const { port } = voice.internal.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const worker = new VoiceServer({ url, token: INTERNAL_TOKEN })
  const jobToken = (sessionId: string) => {
    const dispatch = voice.double.room(`vs_${sessionId}`)?.dispatches.at(-1)
    return readDispatchMetadata(dispatch?.metadata ?? '')?.t ?? ''
  }
  // A key may have five sessions at a time.
  const started = async (body: object = { participantIdentity: 'caller' }) => {
    const answer = await voice.start({ key: await voice.newKey(), body })
    if (answer.status !== 200) throw new Error(`no session: ${JSON.stringify(answer.body)}`)
    return String(propertyOf(answer.body, 'sessionId'))
  }
  const owned = resources.move()
  return {
    voice,
    worker,
    url,
    jobToken,
    started,
    async claimed(body) {
      const sid = await started(body)
      const job = await worker.claim({ sid, t: jobToken(sid) })
      if (!job) throw new Error('the job was not claimed')
      return job
    },
    async turn(job, request) {
      const whole: TurnRequest = { turnSeq: job.nextTurnSeq, language: 'en', kind: 'message', ...request }
      const started = await worker.session(job).turn(whole, AbortSignal.timeout(20_000))
      return Array.fromAsync(started.lines)
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
