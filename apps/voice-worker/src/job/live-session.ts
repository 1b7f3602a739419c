import { setTimeout as pause } from 'node:timers/promises'
import { log, type tts, type VAD, voice } from '@livekit/agents'
import type {
  ClaimedVoiceJob,
  SttChoice,
  TurnAction,
  VoiceSessionConnection,
  WorkerEndReason,
} from '@troupe/contract/voice-worker'
import { RuntimeLlm } from '../runtime/runtime-llm.ts'
import { SpeakingAgent } from '../runtime/speaking-agent.ts'
import { FallbackClip } from '../session/fallback-clip.ts'
import { Hearing } from '../session/hearing.ts'
import { Keypad, pressKeys } from '../session/keypad.ts'
import { observeSession, type SessionObserver } from '../session/observe-session.ts'
import type { ReportedJob } from '../session/reported-job.ts'
import { SentTranscript } from '../session/sent-transcript.ts'
import { endReasonOf } from '../session/session-end-reason.ts'
import { SessionEnding } from '../session/session-ending.ts'
import { SessionLimits } from '../session/session-limits.ts'
import type { SessionMedia } from '../session/session-media.ts'
import { aecWarmupMs, sessionOptions } from '../session/session-options.ts'
import { SilencePrompts } from '../session/silence-prompts.ts'
import { speechUsage } from '../session/speech-usage.ts'
import { spokenPhrases } from '../session/spoken-phrases.ts'
import { sttOf } from '../speech/stt-of.ts'
import { ttsOf } from '../speech/tts-of.ts'
import type { CallGreeting } from '../voicemail/call-greeting.ts'
import { FirstWords } from '../voicemail/first-words.ts'
import { listenToCallee } from '../voicemail/listen-to-callee.ts'

/** The parts of a session. */
export interface SessionParts {
  claimed: ClaimedVoiceJob
  connection: VoiceSessionConnection
  media: SessionMedia
  vad: VAD
  status: ReportedJob
  /** When the job arrived and when it was claimed, in milliseconds of this machine's clock. */
  startedAt: number
  claimedAt: number
  /** Ends the process. */
  exit(reason: string): void
}

/** Without voicemail detection, every callee counts as a person. */
const NOBODY_MET = { greeting: 'person', hasSpoken: false } as const

/** A voice session served by this process. */
export class LiveSession {
  readonly #parts: SessionParts
  readonly #session: voice.AgentSession
  readonly #agent = new SpeakingAgent()
  readonly #clip: FallbackClip
  readonly #hearing: Hearing
  readonly #speaker: tts.TTS
  readonly #transcript: SentTranscript
  readonly #silence: SilencePrompts
  readonly #keypad = new Keypad((keys) => this.#keysPressed(keys))
  readonly #limits: SessionLimits
  readonly #ending: SessionEnding
  readonly #ended = new AbortController()
  readonly #over = Promise.withResolvers<void>()
  readonly #answered = Promise.withResolvers<void>()
  /** Resolves when the caller may be answered: immediately, except in calls with voicemail detection. */
  readonly #met = Promise.withResolvers<void>()
  #speech: voice.SpeechHandle | null = null
  #readyMs: number | null = null
  #firstAudioMs: number | null = null
  #failoverUsed = false

  /** Builds the providers and the session; no audio flows yet. */
  static async assemble(parts: SessionParts): Promise<LiveSession> {
    const { language } = parts.claimed.settings
    // A provider may fail over before the session exists.
    let live: LiveSession | null = null
    let isEarly = false
    const onFailover = () => {
      if (live) live.#failoverUsed = true
      else isEarly = true
    }
    const hear = (choices: readonly SttChoice[]) => sttOf(choices, { language, vad: parts.vad, onFailover })
    const hearing = await Hearing.begin(parts.claimed.stt, hear, onFailover)
    const speaker = await ttsOf(parts.claimed.tts, { language, onFailover })
    live = new LiveSession(parts, hearing, speaker)
    live.#failoverUsed = isEarly
    return live
  }

  private constructor(parts: SessionParts, hearing: Hearing, speaker: tts.TTS) {
    const { claimed, connection, status, vad } = parts
    const { settings } = claimed
    this.#parts = parts
    this.#hearing = hearing
    this.#speaker = speaker
    this.#clip = new FallbackClip(speaker, settings.fallbackText)
    this.#transcript = new SentTranscript(
      (items) => connection.storeItems(items),
      (error) => log().warn({ error }, 'the transcript could not be stored'),
    )
    const llm = new RuntimeLlm({
      connection,
      nextTurnSeq: claimed.nextTurnSeq,
      language: settings.language,
      filler: settings.filler,
      mayAnswer: this.#met.promise,
      onTurn: () => status.change({ lastTurnAt: Date.now() }),
      onAction: (action, args) => this.#afterSpeech(action, args),
    })
    const speech = { stt: hearing.stt, tts: speaker, llm }
    this.#session = new voice.AgentSession({ ...sessionOptions(claimed, vad), ...speech })
    this.#silence = new SilencePrompts({
      ...settings.silence,
      prompt: () => this.#say(settings.silence.text),
      giveUp: () => void this.end('inactivity'),
    })
    this.#limits = this.#createLimits()
    this.#ending = this.#createEnding()
    if (claimed.kind === 'web' || settings.call.voicemail === 'off' || claimed.transcript.length > 0) {
      this.#met.resolve()
    }
    this.#observe()
    if (claimed.answered) this.answered(claimed.leaseUntil)
  }

  get participantIdentity(): string {
    return this.#parts.claimed.participantIdentity
  }

  get kind(): ClaimedVoiceJob['kind'] {
    return this.#parts.claimed.kind
  }

  /** Fires when the session begins to end. */
  get ended(): AbortSignal {
    return this.#ended.signal
  }

  /** Starts listening and speaking in the connected room. */
  async start(): Promise<void> {
    const { media, startedAt } = this.#parts
    await media.start(this.#session, this.#agent, this.participantIdentity)
    this.#readyMs = Date.now() - startedAt
  }

  /** Says the greeting once the caller is there; a call starts when it is answered. */
  async greet(callerIsThere: () => Promise<unknown>): Promise<void> {
    const { kind, settings, transcript } = this.#parts.claimed
    const { greeting, call, resumeText } = settings
    // Neither is certain to settle, and the job ends only after this method.
    await Promise.race([kind === 'web' ? callerIsThere() : this.#answered.promise, this.#over.promise])
    if (this.ended.aborted) return
    if (transcript.length > 0) return void this.#say(resumeText)
    const who = kind === 'outbound_call' ? await this.#meetCallee() : NOBODY_MET
    if (who.greeting !== 'person') return this.#leaveMessage(who.greeting)
    this.#met.resolve()
    if (kind === 'outbound_call' && call.disclosureText) this.#say(call.disclosureText, false)
    if (greeting.mode === 'speak') this.#say(greeting.text, greeting.interruptible)
    else if (who.hasSpoken) this.#session.generateReply()
    else this.#silence.quiet()
  }

  /**
   * Detects who answered the call, and returns once it is time to speak. The greeting responds to the first words, unless the agent
   * waits for them.
   */
  async #meetCallee(): Promise<{ greeting: CallGreeting; hasSpoken: boolean }> {
    const { voicemail, greetAfterMs } = this.#parts.claimed.settings.call
    if (voicemail === 'off') {
      await pause(greetAfterMs)
      return NOBODY_MET
    }
    using words = new FirstWords()
    this.ended.addEventListener('abort', () => words[Symbol.dispose]())
    listenToCallee(this.#session, words)
    const greeting = await words.who
    if (!this.ended.aborted) this.#session.interrupt({ force: true })
    return { greeting, hasSpoken: words.hasText }
  }

  /** Says the identity and the voicemail text, if there is one and the mailbox accepts messages, and hangs up. */
  async #leaveMessage(met: CallGreeting): Promise<void> {
    const { voicemail, voicemailText, disclosureText } = this.#parts.claimed.settings.call
    const mayLeave = met === 'voicemail' && voicemail === 'leave_message' && voicemailText
    const texts = mayLeave ? [disclosureText, voicemailText] : []
    for (const text of texts) if (text) await this.#say(text, false)?.waitForPlayout()
    await this.end('agent_ended')
  }

  /** The callee has answered. `leaseUntil` is by the server's clock. */
  answered(leaseUntil: number | null): void {
    if (leaseUntil !== null) this.lease(leaseUntil)
    this.#answered.resolve()
  }

  /** The minutes of the call are reserved until then, by the server's clock. */
  lease(until: number): void {
    this.#limits.lease(this.#here(until))
  }

  /** The caller or callee is in the room, or has left it. */
  callerPresent(callerPresent: boolean): void {
    this.#parts.status.change({ callerPresent })
  }

  callStatus(callStatus: string, sipCallId: string | null): void {
    this.#parts.status.change({ callStatus, sipCallId })
  }

  keyPressed(key: string): void {
    this.#silence.callerSpoke()
    this.#keypad.press(key)
  }

  /** Ends the session for a reason that is reported to the server. */
  end(reason: WorkerEndReason): Promise<void> {
    return this.#ending.end(reason)
  }

  /** Ends the session here, because the server has ended it or another worker has it. */
  leave(): Promise<void> {
    return this.#ending.leave()
  }

  /** Ends the session here, because this process can't serve it; another worker gets it. */
  abandon(): Promise<void> {
    return this.#ending.abandon()
  }

  /** Converts a time of the server's clock to this machine's. */
  #here(serverTime: number): number {
    const { claimed, claimedAt } = this.#parts
    return serverTime - claimed.now + claimedAt
  }

  #say(text: string, allowInterruptions = true): voice.SpeechHandle | null {
    return this.ended.aborted ? null : this.#session.say(text, { allowInterruptions })
  }

  /** Executes an action once all speech before it was played; an interruption by the caller prevents it. */
  async #afterSpeech(action: TurnAction, args: Record<string, unknown>): Promise<void> {
    const speech = this.#speech
    await speech?.waitForPlayout()
    if (speech?.interrupted || this.ended.aborted) return
    if (action === 'end_call') return this.end('agent_ended')
    const { media } = this.#parts
    await pressKeys(String(args.digits ?? ''), (code, key) => media.pressKey(code, key))
  }

  #keysPressed(keys: string): void {
    if (this.ended.aborted) return
    this.#session.interrupt()
    this.#session.generateReply({ userInput: `[keypad] ${keys}` })
  }

  async #notUnderstood(): Promise<void> {
    const { settings } = this.#parts.claimed
    if (this.ended.aborted) return
    try {
      await this.#agent.updateOptions({ stt: await this.#hearing.again() })
      this.#say(spokenPhrases(settings.language).repeat)
    } catch (error) {
      log().error({ error }, 'speech to text could not be replaced')
    }
  }

  async #failed(error: unknown): Promise<void> {
    if (this.ended.aborted) return
    log().error({ error }, 'a provider of the session failed')
    await this.end('provider_error')
  }

  #observe(): void {
    const observer: SessionObserver = {
      quiet: () => this.#silence.quiet(),
      agentActive: () => this.#silence.agentActive(),
      agentAudible: () => {
        this.#firstAudioMs ??= Date.now() - this.#parts.startedAt
      },
      callerSpoke: () => this.#silence.callerSpoke(),
      speechCreated: (speech) => {
        this.#speech = speech
      },
      itemAdded: (message) => {
        if (message.role === 'user') this.#hearing.understood()
        this.#transcript.add(message)
      },
      notUnderstood: () => void this.#notUnderstood(),
      failed: (error) => void this.#failed(error),
      closed: (reason) => {
        const ended = endReasonOf(reason)
        void (ended === null ? this.abandon() : this.end(ended))
      },
    }
    observeSession(this.#session, observer, aecWarmupMs(this.kind) ?? 0)
  }

  #createLimits(): SessionLimits {
    const { claimed, connection } = this.#parts
    const { settings } = claimed
    const actions = {
      warn: () => this.#say(spokenPhrases(settings.language).warning),
      timeout: () => void this.end('timeout'),
      extend: async () => {
        const { leaseUntil, granted } = await connection.extendLease()
        return { until: leaseUntil === null ? null : this.#here(leaseUntil), granted }
      },
      sayFarewell: () => this.#say(settings.budgetText, false),
      budgetExhausted: () => void this.end('budget_exhausted'),
    }
    return new SessionLimits(actions, this.#here(claimed.expiresAt), settings.limits.warnBeforeEnd)
  }

  #createEnding(): SessionEnding {
    const { connection, status, media, startedAt, exit } = this.#parts
    return new SessionEnding({
      begin: () => {
        this.#ended.abort()
        this.#over.resolve()
        for (const part of [this.#silence, this.#keypad, this.#limits]) part[Symbol.dispose]()
        status.change({ state: 'closing' })
      },
      close: async (reason) => {
        if (reason === 'provider_error') await this.#clip.play(media)
        await this.#session.close()
        // Retries of providers must not outlive the session.
        await Promise.allSettled([this.#hearing.close(), this.#speaker.close()])
        await this.#transcript.flush()
        this.#transcript[Symbol.dispose]()
      },
      report: (reason) =>
        connection.end({
          reason,
          usage: speechUsage(this.#session.usage),
          failoverUsed: this.#failoverUsed,
          timings: {
            readyMs: this.#readyMs,
            firstAudioMs: this.#firstAudioMs,
            durationMs: Date.now() - startedAt,
          },
        }),
      reported: () => status.endReported(),
      exit,
      onError: (error) => log().warn({ error }, 'a step of the end of the session failed'),
    })
  }
}
