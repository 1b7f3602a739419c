import type { RunEngine } from '@troupe/durable-work'
import type { Database } from '@troupe/storage'
import type { Lifecycle } from '@troupe/telemetry/lifecycle'
import type { StorageWatch } from '@troupe/telemetry/storage-watch'

/** Milliseconds after which an unresponsive part counts as missing. */
const PATIENCE_MS = 2_000

/** Whether the process accepts work, and which parts are missing. */
export type Readiness = { ready: true } | { ready: false; missing: MissingPart[] }

/** A part that is missing. */
export interface MissingPart {
  /** Contains nothing confidential. */
  name: string
  /** For operators: may contain internal addresses. null: no details. */
  detail: string | null
}

/** The parts that requests depend on. */
export interface ReadinessParts {
  lifecycle: Pick<Lifecycle, 'phase'>
  database: Pick<Database, 'ping'>
  engine: Pick<RunEngine, 'health'>
  storage: Pick<StorageWatch, 'look'>
}

/** Checks the parts that requests depend on. Concurrent callers share one check, to limit the load of monitors. */
export class ReadinessCheck {
  readonly #parts: ReadinessParts
  #asking: Promise<MissingPart[]> | null = null

  constructor(parts: ReadinessParts) {
    this.#parts = parts
  }

  async check(): Promise<Readiness> {
    const { phase } = this.#parts.lifecycle
    if (phase === 'booting') return { ready: false, missing: [missing('boot is not complete')] }
    if (phase === 'draining') return { ready: false, missing: [missing('the process is stopping')] }
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null
    })
    const found = await this.#asking
    return found.length === 0 ? { ready: true } : { ready: false, missing: found }
  }

  async #ask(): Promise<MissingPart[]> {
    const { database, engine, storage } = this.#parts
    const answers = await Promise.all([
      inTime(
        database.ping().then(() => null),
        'database',
      ),
      inTime(
        engine.health().then((health) => (health.healthy ? null : missing('engine', health.reason))),
        'engine',
      ),
      inTime(
        storage
          .look()
          .then((full) => (full ? missing('storage: the disk of the data folder is full') : null)),
        'storage',
      ),
    ])
    return answers.filter((answer) => answer !== null)
  }
}

function missing(name: string, detail: string | null = null): MissingPart {
  return { name, detail }
}

/** The result for one part: null when healthy; `name` when it fails or times out. */
async function inTime(answer: Promise<MissingPart | null>, name: string): Promise<MissingPart | null> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<MissingPart>((resolve) => {
    timer = setTimeout(() => resolve(missing(name)), PATIENCE_MS)
  })
  return Promise.race([answer.catch(() => missing(name)), silence]).finally(() => clearTimeout(timer))
}
