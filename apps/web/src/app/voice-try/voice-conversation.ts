import type { AgentId, IdText } from '@troupe/contract'
import { type RemoteTrack, Room, RoomEvent, Track } from 'livekit-client'
import { LoudnessMeter } from './loudness-meter.ts'
import type { SpokenView } from './spoken-view.ts'

const TRANSCRIPTION = 'lk.transcription'

interface Started {
  wsUrl: string
  token: string
  /** The identity of the caller. */
  identity: string
}

/** One conversation: the room, both voices, and the transcript. */
export class VoiceConversation {
  readonly #view: SpokenView
  readonly #room = new Room({ adaptiveStream: false, dynacast: false })
  readonly #audio = new Audio()
  readonly #meters: LoudnessMeter[] = []
  #spokeUntil: number | null = null
  #isOver = false

  constructor(view: SpokenView) {
    this.#view = view
  }

  /** Throws an Error with a message for the user. */
  async start(sessionPath: string, agentId: IdText<AgentId>): Promise<void> {
    const { wsUrl, token, identity } = await askForSession(sessionPath, agentId)
    this.#room
      .on(RoomEvent.Disconnected, () => void this.end())
      .on(RoomEvent.TrackSubscribed, (track) => this.#hear(track))
    this.#room.registerTextStreamHandler(TRANSCRIPTION, async (reader, from) => {
      let text = ''
      const { attributes, id: streamId } = reader.info
      const id = attributes?.['lk.segment_id'] ?? streamId
      const role = from.identity === identity ? 'caller' : 'agent'
      const isFinal = attributes?.['lk.transcription_final'] === 'true'
      for await (const part of reader) {
        text += part
        this.#view.turn({ id, role, text, isFinal })
      }
      this.#view.turn({ id, role, text, isFinal: true })
    })
    await this.#room.connect(wsUrl, token)
    this.#view.phase('waiting')
    await this.#room.localParticipant.setMicrophoneEnabled(true)
    const microphone = this.#room.localParticipant.getTrackPublication(Track.Source.Microphone)?.track
    if (microphone !== undefined)
      this.#measure(microphone.mediaStreamTrack, (isLoud) => this.#callerSpoke(isLoud))
  }

  async mute(isMuted: boolean): Promise<void> {
    await this.#room.localParticipant.setMicrophoneEnabled(!isMuted)
  }

  async end(): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    for (const meter of this.#meters) meter.stop()
    this.#audio.srcObject = null
    this.#audio.remove()
    this.#view.phase('idle')
    await this.#room.disconnect()
  }

  #hear(track: RemoteTrack): void {
    if (track.kind !== Track.Kind.Audio) return
    this.#audio.id = 'voice-audio'
    this.#audio.srcObject = new MediaStream([track.mediaStreamTrack])
    document.body.append(this.#audio)
    void this.#audio.play()
    this.#view.phase('listening')
    this.#measure(track.mediaStreamTrack, (isLoud) => this.#agentSpoke(isLoud))
  }

  #measure(track: MediaStreamTrack, onChange: (isLoud: boolean) => void): void {
    this.#meters.push(new LoudnessMeter(track, { onChange, onLevel: (level) => this.#view.level(level) }))
  }

  #callerSpoke(isLoud: boolean): void {
    // The meter detects the end late, by the pause that it waits for.
    if (!isLoud) this.#spokeUntil = performance.now() - LoudnessMeter.PAUSE_MS
  }

  #agentSpoke(isLoud: boolean): void {
    this.#view.phase(isLoud ? 'speaking' : 'listening')
    if (!isLoud || this.#spokeUntil === null) return
    this.#view.answeredAfter(performance.now() - this.#spokeUntil)
    this.#spokeUntil = null
  }
}

async function askForSession(path: string, agentId: IdText<AgentId>): Promise<Started> {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ agentId }),
  })
  const body: Partial<Started & { message: string }> = await answer.json()
  const { wsUrl, token, identity } = body
  if (!answer.ok || wsUrl === undefined || token === undefined || identity === undefined) {
    throw new Error(body.message ?? 'The conversation could not be started.')
  }
  return { wsUrl, token, identity }
}
