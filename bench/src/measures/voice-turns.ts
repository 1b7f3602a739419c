import { quantile } from '../load/statistics.ts'
import { startChild, untilPrinted } from '../targets/child.ts'

const PROGRAM = 'apps/voice-worker/src/testing/measure-conversation.ts'
const ALONE = { turns: 50, bargeIns: 10, speed: 1 }
const TOGETHER = { turns: 15, bargeIns: 0, speed: 1 }
const SESSIONS = [2, 4, 6, 8]
/** The design's limit for a local session, in milliseconds. */
const P95_LIMIT = 1_500
/** An hour of audio at ten times its speed is about this many turns. */
const HOUR = { turns: 300, speed: 10 }
const READY_MS = 120_000
const PATIENCE_MS = 1_200_000

/** The measurements of one session's process. */
interface Conversation {
  /** From the end of the caller's speech to the agent's first sound, in milliseconds. */
  latencies: number[]
  /** From the beginning of an interruption to the agent's last sound, in milliseconds. */
  silentAfter: number[]
  /** Resident memory of the session's process, from its first turn to its last. */
  memoryMb: number[]
  /** Turns whose words were misrecognized. */
  misheard: number
  /** The share of one core, including speech programs. */
  processorShare: number
}

/** Concurrent sessions, each in a separate process as in a voice worker. */
export interface VoiceRow {
  sessions: number
  turns: number
  p50: number
  p95: number
  /** null: nothing was interrupted. */
  bargeInP50: number | null
  bargeInP95: number | null
  /** The memory of one session's process at its end. */
  memoryMb: number
  processorShare: number
  misheard: number
}

/** An hour of one session, simulated by audio at ten times the speed. */
export interface VoiceHour {
  turns: number
  memoryMb: number[]
}

/** Turns of the local suite without a room: local VAD, pocketsphinx, a model that answers at once, flite. */
export async function measureVoiceTurns(
  progress: (row: VoiceRow) => void,
): Promise<{ rows: VoiceRow[]; hour: VoiceHour }> {
  const rows: VoiceRow[] = []
  for (const sessions of [1, ...SESSIONS]) {
    const request = sessions === 1 ? ALONE : TOGETHER
    const row = rowOf(await converse(sessions, request))
    progress(row)
    rows.push(row)
    if (row.p95 > P95_LIMIT) break
  }
  const [hour] = await converse(1, { ...HOUR, bargeIns: 0 })
  return { rows, hour: { turns: HOUR.turns, memoryMb: hour?.memoryMb ?? [] } }
}

async function converse(sessions: number, request: object): Promise<Conversation[]> {
  await using stack = new AsyncDisposableStack()
  const children = Array.from({ length: sessions }, () =>
    stack.use(startChild(PROGRAM, [JSON.stringify(request)], {})),
  )
  // Awaited here: the stack ends the processes when this function returns.
  return await Promise.all(
    children.map(async (child): Promise<Conversation> => {
      await untilPrinted(child, /(ready)/, READY_MS)
      return JSON.parse(await untilPrinted(child, /result (.*)\n/, PATIENCE_MS))
    }),
  )
}

function rowOf(conversations: readonly Conversation[]): VoiceRow {
  const latencies = conversations.flatMap((one) => one.latencies)
  const silentAfter = conversations.flatMap((one) => one.silentAfter)
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  return {
    sessions: conversations.length,
    turns: latencies.length,
    p50: quantile(latencies, 0.5),
    p95: quantile(latencies, 0.95),
    bargeInP50: silentAfter.length > 0 ? quantile(silentAfter, 0.5) : null,
    bargeInP95: silentAfter.length > 0 ? quantile(silentAfter, 0.95) : null,
    memoryMb: mean(conversations.map((one) => one.memoryMb.at(-1) ?? 0)),
    processorShare: mean(conversations.map((one) => one.processorShare)),
    misheard: conversations.reduce((sum, one) => sum + one.misheard, 0),
  }
}
