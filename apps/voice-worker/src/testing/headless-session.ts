import { initializeLogger } from '@livekit/agents'
import { completeVoiceSettings, type VoiceSettings } from '@troupe/contract'
import {
  type ClaimedVoiceJob,
  type SttChoice,
  type TtsChoice,
  VoiceServer,
} from '@troupe/contract/voice-worker'
import { speak } from '@troupe/media-servers/testing/speak'
import { followServer } from '../job/follow-server.ts'
import { useLeakFreeRaces } from '../job/leak-free-races.ts'
import { LiveSession } from '../job/live-session.ts'
import { ReportedJob } from '../session/reported-job.ts'
import { UtteranceVad } from '../speech/utterance-vad.ts'
import type { ChildStatus } from '../worker/child-messages.ts'
import { HeadlessMedia } from './headless-media.ts'
import { type AnswerTurn, startVoiceServerDouble, type VoiceServerDouble } from './voice-server-double.ts'

/** The callers' utterances; the grammar of the sessions' recogniser. */
export const UTTERANCES = [
  'hello there',
  'what time is it',
  'book a table for two',
  'please stop now',
  'tell me a long story',
]

export const LOCAL_STT: SttChoice = {
  provider: 'local-pocketsphinx',
  model: null,
  baseUrl: null,
  apiKey: null,
  grammar: UTTERANCES,
}
export const LOCAL_TTS: TtsChoice = {
  provider: 'local-flite',
  model: null,
  baseUrl: null,
  apiKey: null,
  voice: 'slt',
  speed: 1,
}

/** Differences from a web session with local speech, a greeting, and a limit of an hour. */
export interface HeadlessOptions {
  answer?: AnswerTurn
  settings?: VoiceSettings
  claimed?: Partial<ClaimedVoiceJob>
  /** See {@link HeadlessMedia}. */
  speed?: number
}

/** A session as served by a worker's child, between a caller without a room and a server without a database. */
export interface HeadlessSession extends AsyncDisposable {
  live: LiveSession
  media: HeadlessMedia
  server: VoiceServerDouble
  /** Status messages to the worker's parent process, in order. */
  told: ChildStatus[]
  /** Resolves with the reason when the process of the session would exit. */
  exited: Promise<string>
  /** Says words of {@link UTTERANCES}; returns the end time of the last one, in milliseconds since the epoch. */
  say(words: string): Promise<number>
  /** The stored transcript: `role: text`. */
  said(): string[]
}

/** Answers with the caller's own words. */
export async function* echo({ text }: { text: string }): ReturnType<AnswerTurn> {
  yield { t: 'text', d: `You said ${text}.` }
  yield { t: 'done', runId: 'run', success: true }
}

const DEFAULTS: VoiceSettings = {
  // The turn detection model needs the worker's inference process.
  turn: { detector: 'vad' },
  greeting: { text: 'Welcome.' },
  filler: { enabled: false },
}

const models: { vad?: UtteranceVad } = {}

export async function openHeadlessSession(options: HeadlessOptions = {}): Promise<HeadlessSession> {
  initializeLogger({ pretty: false, level: process.env.VOICE_LOG_LEVEL ?? 'silent' })
  useLeakFreeRaces()
  models.vad ??= new UtteranceVad()
  await using stack = new AsyncDisposableStack()
  const server = stack.use(await startVoiceServerDouble(options.answer ?? echo))
  const media = stack.use(new HeadlessMedia(options.speed))
  const claimed = claimedJob(options)
  const connection = new VoiceServer({ url: server.url, token: 'token' }).session(claimed)
  const told: ChildStatus[] = []
  const exit = Promise.withResolvers<string>()
  const live = await LiveSession.assemble({
    claimed,
    connection,
    media,
    vad: models.vad,
    status: new ReportedJob({ sid: claimed.sessionId, attempt: 1 }, (status) => told.push(status)),
    startedAt: Date.now(),
    claimedAt: Date.now(),
    exit: exit.resolve,
  })
  stack.defer(() => live.leave())
  await live.start()
  void followServer(connection, live)
  void live.greet(async () => {})
  const owned = stack.move()
  return {
    live,
    media,
    server,
    told,
    exited: exit.promise,
    say: async (words) => media.say((await speak(words)).samples),
    said: () => server.items.map(({ role, text }) => `${role}: ${text}`),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** The job of such a session, as the server returns it. */
export function claimedJob({ settings = {}, claimed = {} }: HeadlessOptions): ClaimedVoiceJob {
  const now = Date.now()
  return {
    sessionId: crypto.randomUUID(),
    sessionToken: 'session',
    kind: 'web',
    participantIdentity: 'caller',
    agent: { agentId: crypto.randomUUID(), name: 'Agent' },
    settings: completeVoiceSettings({ ...DEFAULTS, ...settings }),
    stt: [LOCAL_STT],
    tts: [LOCAL_TTS],
    allowedNetworks: [],
    transcript: [],
    nextTurnSeq: 1,
    now,
    expiresAt: now + 3_600_000,
    answered: false,
    leaseUntil: null,
    ...claimed,
  }
}
