import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { speak } from '@troupe/media-servers/testing/speak'
import { echo, openHeadlessSession } from './headless-session.ts'
import type { AnswerTurn } from './voice-server-double.ts'

/** The benchmark's request to this program, as the JSON of its first argument. */
interface Request {
  turns: number
  bargeIns: number
  speed: number
}

const WORDS = ['hello there', 'what time is it', 'book a table for two']
const STORY_WORDS = 'tell me a long story'
const STOP_WORDS = 'please stop now'
const STORY = 'Once upon a time there was a small house near the river, and an old man lived there. '.repeat(
  3,
)
/** Turns between two memory samples. */
const SAMPLE_TURNS = 25
const TICKS_PER_SECOND = 100
const BYTES_PER_MB = 1_048_576

const answer: AnswerTurn = async function* (turn) {
  if (turn.text !== STORY_WORDS) return yield* echo(turn)
  yield { t: 'text', d: STORY }
  yield { t: 'done', runId: 'run', success: true }
}

/** Seconds of CPU time of this process and its child programs. */
function processorSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
  // Fields 14 to 17 of proc(5): user, system, and both of children.
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return ticks / TICKS_PER_SECOND
}

const { turns, bargeIns, speed }: Request = JSON.parse(process.argv[2] ?? '{}')
const clips = new Map(
  await Promise.all(
    [...WORDS, STORY_WORDS, STOP_WORDS].map(async (words) => [words, (await speak(words)).samples] as const),
  ),
)
await using session = await openHeadlessSession({ answer, speed })
const { media, server } = session
const { ear } = media
const say = (words: string) => media.say(clips.get(words) ?? new Int16Array(0))
await ear.sentence(0, 500)
ear.forget()
console.log('ready')

const latencies: number[] = []
const silentAfter: number[] = []
const memoryMb: number[] = []
let misheard = 0
const beganAt = performance.now()
const beganWith = processorSeconds()
for (let turn = 0; turn < turns; turn += 1) {
  if (turn % SAMPLE_TURNS === 0) memoryMb.push(process.memoryUsage().rss / BYTES_PER_MB)
  const words = WORDS[turn % WORDS.length] ?? ''
  const spokenAt = await say(words)
  latencies.push((await ear.firstSound(spokenAt)) - spokenAt)
  if (server.turns.at(-1)?.text !== words) misheard += 1
  await ear.sentence(spokenAt, 700)
  ear.forget()
}
memoryMb.push(process.memoryUsage().rss / BYTES_PER_MB)
const processor = processorSeconds() - beganWith
const seconds = (performance.now() - beganAt) / 1_000
for (let round = 0; round < bargeIns; round += 1) {
  await ear.firstSound(await say(STORY_WORDS))
  await pause(1_500)
  const beganToSpeakAt = Date.now()
  const spokenAt = await say(STOP_WORDS)
  const lastSound = ear.lastSound()
  silentAfter.push(lastSound - beganToSpeakAt)
  await ear.sentence(Math.max(spokenAt, lastSound + 300), 700)
  ear.forget()
}
console.log(
  `result ${JSON.stringify({ latencies, silentAfter, memoryMb, misheard, processorShare: processor / seconds })}`,
)
