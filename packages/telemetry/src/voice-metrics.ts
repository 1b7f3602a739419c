import { Counter, Gauge, Histogram } from 'prom-client'
import type { Metrics } from './metrics.ts'

const LATENCY_BUCKETS = [0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.2, 1.5, 1.8, 2.5, 4, 8]
/** Milliseconds of silence after which a worker is not counted. */
const SILENT_MS = 10_000

/** The parts of a turn, by their names in a worker's measurements. */
const PARTS = {
  e2eLatency: 'end_to_end',
  endOfTurnDelay: 'end_of_turn',
  transcriptionDelay: 'stt',
  llmNodeTtft: 'llm',
  ttsNodeTtfb: 'tts',
  playbackLatency: 'playback',
} as const

/** The metrics of voice. Labels have few values: never a session, a number or a provider's account. */
export class VoiceMetrics {
  readonly #workers = new Map<string, { jobs: number; capacity: number; seenAt: number }>()
  readonly #turns: Histogram<'part'>
  readonly #ends: Counter<'kind' | 'reason'>

  constructor({ registry }: Pick<Metrics, 'registry'>, now: () => number) {
    const registers = [registry]
    this.#turns = new Histogram({
      name: 'troupe_voice_turn_latency_seconds',
      help: "Latency of a spoken turn and of its parts: end_to_end is from the end of the caller's speech to the agent's first audio.",
      labelNames: ['part'],
      buckets: LATENCY_BUCKETS,
      registers,
    })
    this.#ends = new Counter({
      name: 'troupe_voice_jobs_ended_total',
      help: 'Sessions that voice workers ended, by kind and reason.',
      labelNames: ['kind', 'reason'],
      registers,
    })
    const workers = this.#workers
    const sum = (count: (worker: { jobs: number; capacity: number }) => number) => () => {
      const live = [...workers.values()].filter(({ seenAt }) => now() - seenAt < SILENT_MS)
      return live.reduce((total, worker) => total + count(worker), 0)
    }
    this.#gauge(
      'troupe_voice_workers',
      'Voice workers that send heartbeats to this process.',
      registers,
      sum(() => 1),
    )
    this.#gauge(
      'troupe_voice_jobs',
      'Sessions that those workers serve.',
      registers,
      sum(({ jobs }) => jobs),
    )
    this.#gauge(
      'troupe_voice_capacity',
      'Sessions that those workers can serve.',
      registers,
      sum(({ capacity }) => capacity),
    )
  }

  #gauge(name: string, help: string, registers: Metrics['registry'][], read: () => number): void {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  }

  workerSeen(workerId: string, worker: { jobs: number; capacity: number; seenAt: number }): void {
    this.#workers.set(workerId, worker)
    for (const [id, { seenAt }] of this.#workers) {
      if (worker.seenAt - seenAt > 10 * SILENT_MS) this.#workers.delete(id)
    }
  }

  /** The latencies of an item, in milliseconds. */
  turnMeasured(measured: Readonly<Record<string, number | undefined>>): void {
    for (const [name, part] of Object.entries(PARTS)) {
      const ms = measured[name]
      if (ms !== undefined) this.#turns.observe({ part }, ms / 1_000)
    }
  }

  jobEnded(kind: string, reason: string): void {
    this.#ends.inc({ kind, reason })
  }
}
