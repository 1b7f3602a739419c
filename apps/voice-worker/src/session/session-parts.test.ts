import { llm } from '@livekit/agents'
import type { TranscriptItem } from '@troupe/contract/voice-worker'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Keypad } from './keypad.ts'
import { SentTranscript } from './sent-transcript.ts'
import { SessionEnding } from './session-ending.ts'
import { SessionLimits } from './session-limits.ts'
import { SilencePrompts } from './silence-prompts.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('a silent caller is prompted twice, and then the session ends', () => {
  const heard: string[] = []
  using silence = new SilencePrompts({
    afterS: 15,
    endAfterPrompts: 2,
    prompt: () => heard.push('prompt'),
    giveUp: () => heard.push('end'),
  })
  for (let round = 0; round < 3; round += 1) {
    silence.quiet()
    vi.advanceTimersByTime(15_000)
    silence.agentActive()
  }
  expect(heard).toEqual(['prompt', 'prompt', 'end'])
})

test('a caller who speaks is not prompted, and the count restarts', () => {
  const heard: string[] = []
  using silence = new SilencePrompts({
    afterS: 5,
    endAfterPrompts: 1,
    prompt: () => heard.push('prompt'),
    giveUp: () => heard.push('end'),
  })
  silence.quiet()
  vi.advanceTimersByTime(5_000)
  silence.callerSpoke()
  silence.quiet()
  vi.advanceTimersByTime(4_000)
  silence.callerSpoke()
  vi.advanceTimersByTime(60_000)
  silence.quiet()
  vi.advanceTimersByTime(5_000)
  expect(heard).toEqual(['prompt', 'prompt'])
})

test('keys are one message once no further key follows for 1.5 seconds', () => {
  const messages: string[] = []
  using keypad = new Keypad((keys) => messages.push(keys))
  for (const key of '12') {
    keypad.press(key)
    vi.advanceTimersByTime(1_400)
  }
  keypad.press('#')
  vi.advanceTimersByTime(1_500)
  expect(messages).toEqual(['12#'])
})

test('a session announces its end half a minute before', () => {
  const heard: string[] = []
  using _ = new SessionLimits(actions(heard), Date.now() + 60_000, true)
  vi.advanceTimersByTime(30_000)
  expect(heard).toEqual(['warn'])
  vi.advanceTimersByTime(30_000)
  expect(heard).toEqual(['warn', 'timeout'])
})

test('a call requests more minutes, and ends 5 seconds before its lease if it gets none', async () => {
  const heard: string[] = []
  let isGranted = true
  const until = () => Date.now() + 300_000
  using limits = new SessionLimits(
    { ...actions(heard), extend: async () => ({ until: isGranted ? until() : null, granted: isGranted }) },
    Date.now() + 3_600_000,
    false,
  )
  limits.lease(Date.now() + 90_000)
  await vi.advanceTimersByTimeAsync(30_000)
  isGranted = false
  await vi.advanceTimersByTimeAsync(288_000)
  expect(heard).toEqual([])
  await vi.advanceTimersByTimeAsync(2_000)
  expect(heard).toEqual(['farewell'])
  await vi.advanceTimersByTimeAsync(5_000)
  expect(heard).toEqual(['farewell', 'budget'])
})

test('a call that requests a moment too early gets its current lease, and requests again', async () => {
  const heard: string[] = []
  const first = Date.now() + 90_000
  let asked = 0
  const extend = async () => {
    asked += 1
    return { until: asked === 1 ? first : Date.now() + 300_000, granted: true }
  }
  using limits = new SessionLimits({ ...actions(heard), extend }, Date.now() + 3_600_000, false)
  limits.lease(first)
  await vi.advanceTimersByTimeAsync(120_000)
  expect(asked).toBe(2)
  expect(heard).toEqual([])
})

test('a call keeps requesting minutes while the server is unavailable, and ends if it stays unavailable', async () => {
  const heard: string[] = []
  let isAway = true
  const extend = async () => {
    if (isAway) throw new Error('away')
    return { until: Date.now() + 300_000, granted: true }
  }
  using limits = new SessionLimits({ ...actions(heard), extend }, Date.now() + 3_600_000, false)
  limits.lease(Date.now() + 60_000)
  await vi.advanceTimersByTimeAsync(44_000)
  isAway = false
  await vi.advanceTimersByTimeAsync(100_000)
  expect(heard).toEqual([])
  isAway = true
  // More minutes were granted after 45 seconds.
  await vi.advanceTimersByTimeAsync(45_000 + 289_000 - 144_000 - 1)
  expect(heard).toEqual([])
  await vi.advanceTimersByTimeAsync(6_001)
  expect(heard).toEqual(['farewell', 'budget'])
})

test('the transcript is sent in batches, and resent after an outage of the server', async () => {
  const sent: TranscriptItem[][] = []
  let isAway = true
  const transcript = new SentTranscript(
    async (items) => {
      if (isAway) throw new Error('away')
      sent.push([...items])
    },
    () => {},
  )
  transcript.add(message('user', 'hello'))
  transcript.add(message('assistant', 'hi'))
  await vi.advanceTimersByTimeAsync(300)
  isAway = false
  await vi.advanceTimersByTimeAsync(1_000)
  expect(sent.map((batch) => batch.map(({ text }) => text))).toEqual([['hello', 'hi']])
})

test('the end of a transcript is resent while the server is unavailable, in as many batches as needed', async () => {
  const sent: TranscriptItem[][] = []
  const backAt = Date.now() + 8_000
  const transcript = new SentTranscript(
    async (items) => {
      if (Date.now() < backAt) throw new Error('away')
      sent.push([...items])
    },
    () => {},
  )
  for (let at = 0; at < 450; at += 1) transcript.add(message('user', `word ${at}`, { createdAt: at }))
  const flushed = transcript.flush()
  await vi.advanceTimersByTimeAsync(10_000)
  await flushed
  expect(sent.map(({ length }) => length)).toEqual([200, 200, 50])
  expect(sent.flat().map(({ text }) => text)).toEqual(Array.from({ length: 450 }, (_, at) => `word ${at}`))
})

test('the end of a transcript is given up if the server stays unavailable', async () => {
  let attempts = 0
  const transcript = new SentTranscript(
    async () => {
      attempts += 1
      throw new Error('away')
    },
    () => {},
  )
  transcript.add(message('user', 'hello'))
  const flushed = transcript.flush()
  await vi.advanceTimersByTimeAsync(60_000)
  await flushed
  transcript[Symbol.dispose]()
  expect(attempts).toBeGreaterThanOrEqual(4)
})

test('an interrupted answer is sent before the words that interrupted it', async () => {
  const sent: TranscriptItem[] = []
  const transcript = new SentTranscript(
    async (items) => void sent.push(...items),
    () => {},
  )
  transcript.add(message('user', 'stop', { createdAt: 2_000 }))
  transcript.add(message('assistant', 'Once upon a', { createdAt: 1_000, interrupted: true }))
  transcript.add(message('assistant', 'Yes.', { createdAt: 2_001 }))
  await transcript.flush()
  expect(sent.map(({ text }) => text)).toEqual(['Once upon a', 'stop', 'Yes.'])
})

test('latencies of an item are stored in whole milliseconds', async () => {
  const sent: TranscriptItem[] = []
  const transcript = new SentTranscript(
    async (items) => void sent.push(...items),
    () => {},
  )
  transcript.add(message('assistant', 'hi', { metrics: { e2eLatency: 0.8124, llmNodeTtft: 0.1 } }))
  await transcript.flush()
  expect(sent[0]?.metrics).toEqual({ e2eLatency: 812, llmNodeTtft: 100 })
})

test('a session ends once despite several requests, and its report is retried until the server has it', async () => {
  const steps: string[] = []
  const backAt = Date.now() + 12_000
  const ending = new SessionEnding({
    begin: () => void steps.push('begin'),
    close: async () => void steps.push('close'),
    async report(reason) {
      if (Date.now() < backAt) throw new Error('away')
      steps.push(reason)
    },
    reported: () => void steps.push('reported'),
    exit: () => void steps.push('exit'),
    onError() {},
  })
  void ending.end('inactivity')
  void ending.end('timeout')
  const left = ending.leave()
  await vi.advanceTimersByTimeAsync(15_000)
  await left
  expect(steps).toEqual(['begin', 'close', 'inactivity', 'reported', 'exit'])
})

test('a session ended by the server is closed without a report', async () => {
  const report = vi.fn(async () => {})
  const reported = vi.fn()
  const ending = new SessionEnding({
    begin() {},
    async close() {},
    report,
    reported,
    exit() {},
    onError() {},
  })
  await ending.leave()
  expect(report).not.toHaveBeenCalled()
  expect(reported).toHaveBeenCalledOnce()
})

test('a session whose server stays unavailable ends, and its exit triggers the takeover', async () => {
  const reported = vi.fn()
  const exit = vi.fn()
  const ending = new SessionEnding({
    begin() {},
    async close() {},
    report: async () => Promise.reject(new Error('away')),
    reported,
    exit,
    onError() {},
  })
  const ended = ending.end('inactivity')
  await vi.advanceTimersByTimeAsync(16_000)
  await ended
  expect(reported).not.toHaveBeenCalled()
  expect(exit).toHaveBeenCalledExactlyOnceWith('inactivity')
})

test('an abandoned session is closed, and its exit informs the server', async () => {
  const steps: string[] = []
  const ending = new SessionEnding({
    begin: () => void steps.push('begin'),
    close: async () => void steps.push('close'),
    report: async () => void steps.push('report'),
    reported: () => void steps.push('reported'),
    exit: (reason) => void steps.push(`exit ${reason}`),
    onError() {},
  })
  const abandoned = ending.abandon()
  // The shutdown that follows requests the end again.
  await ending.end('worker_draining')
  await abandoned
  expect(steps).toEqual(['begin', 'close', 'exit abandoned'])
})

function actions(heard: string[]) {
  return {
    warn: () => void heard.push('warn'),
    timeout: () => void heard.push('timeout'),
    extend: async () => ({ until: null, granted: false }),
    sayFarewell: () => void heard.push('farewell'),
    budgetExhausted: () => void heard.push('budget'),
  }
}

function message(role: 'user' | 'assistant', content: string, rest = {}): llm.ChatMessage {
  return llm.ChatMessage.create({ role, content, ...rest })
}
