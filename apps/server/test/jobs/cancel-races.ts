import { checkedId, RunId, type StreamEvent } from '@troupe/contract'
import type { Database } from '@troupe/storage'
import { startTestServer, type TestAnswer, type TestServer } from '@troupe/test-kit/server'
import { readEvents } from '../runs/event-reader.ts'
import { JobSetting, newTag } from './job-setting.ts'
import { messageOf } from './scripted-crew.ts'

type Way = 'sync' | 'stream' | 'job'
type Verdict = 'completed' | 'cancelled'

const WAYS: readonly Way[] = ['sync', 'stream', 'job']
const ENDS: Readonly<Record<string, string>> = {
  RunCompleted: 'completed',
  RunCancelled: 'cancelled',
  RunError: 'failed',
}
const AT_ONCE = 12
/** A factor, so that a busy machine reaches its delay after a few races. */
const STEP = 1.2
const POLL_MS = 5
/** Every n-th race reads the outcome by every endpoint; the others read it only where it can differ. */
const THOROUGH = 5

/** The outcomes of many races. */
export interface RaceReport {
  /** Races won by the cancel, and by the end of the work, by kind of run. */
  won: Record<Way, Record<Verdict, number>>
  /** Cancels before the run had a row. */
  tooEarly: number
  /** Contradictory reports about one run. */
  contradictions: string[]
}

/** Two servers on one database, and cancels that race the end of the work. */
export class CancelRaces implements AsyncDisposable {
  readonly #setting: JobSetting
  readonly #servers: readonly TestServer[]
  /** Run ids by their first message: a synchronous caller gets the id with the response. */
  readonly #ids: ReadonlyMap<string, RunId>
  readonly #resources: AsyncDisposableStack
  /** Milliseconds between a model call and the cancel; moves to the value at which both win about equally often. */
  readonly #delayMs: Record<Way, number> = { sync: 4, stream: 4, job: 4 }
  readonly #told = new Map<string, { way: Way; verdict: Verdict }>()

  private constructor(parts: {
    setting: JobSetting
    servers: readonly TestServer[]
    ids: ReadonlyMap<string, RunId>
    resources: AsyncDisposableStack
  }) {
    this.#setting = parts.setting
    this.#servers = parts.servers
    this.#ids = parts.ids
    this.#resources = parts.resources
  }

  /** `open` returns a new connection to one database each time, or the same embedded database. */
  static async start(open: () => Promise<Database>): Promise<CancelRaces> {
    await using resources = new AsyncDisposableStack()
    const ids = new Map<string, RunId>()
    const database = await open()
    const runs: Database['runs'] = {
      ...database.runs,
      start(run) {
        ids.set(run.input, run.runId)
        return database.runs.start(run)
      },
    }
    const setting = resources.use(await JobSetting.start({ overrides: { database: { ...database, runs } } }))
    const second = resources.use(await startTestServer({ overrides: { database: await open() } }))
    return new CancelRaces({ setting, servers: [setting.server, second], ids, resources: resources.move() })
  }

  async run(count: number): Promise<RaceReport> {
    const none = () => ({ completed: 0, cancelled: 0 })
    const report: RaceReport = {
      won: { sync: none(), stream: none(), job: none() },
      tooEarly: 0,
      contradictions: [],
    }
    let next = 0
    const runner = async () => {
      while (next < count) {
        const index = next
        next += 1
        await this.#race(index, report)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, runner))
    await this.#lookAgain(report)
    return report
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync()
  }

  async #race(index: number, report: RaceReport): Promise<void> {
    const way = WAYS[index % WAYS.length] ?? 'job'
    const tag = newTag()
    const { crew, subjects } = this.#setting
    const asked = Promise.withResolvers<void>()
    crew.behave(tag, () => {
      asked.resolve()
      return { headersDelayMs: 1 + Math.floor(Math.random() * 3), paceMs: 0 }
    })
    const running = this.#begin(way, tag)
    await Promise.race([asked.promise, running])
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 2 * this.#delayMs[way]))
    const runId = this.#ids.get(messageOf(tag)) ?? ''
    const server = this.#servers[Math.floor(index / 2) % 2] as TestServer
    const asJob = way === 'job' && Math.floor(index / WAYS.length) % 2 === 0
    const answer = await this.#setting[asJob ? 'cancel' : 'cancelRun'](subjects.agent, runId, server)
    const ran = await running
    if (answer.status === 404 && way !== 'job') report.tooEarly += 1
    const thorough = Math.floor(index / WAYS.length) % THOROUGH === 0
    const verdicts = await this.#verdicts({ way, runId, answer, ran, thorough })
    crew.release(tag)
    const verdict = verdicts[0]?.[1] as Verdict
    const different = verdicts.filter(([, told]) => told !== verdict)
    if (different.length > 0 || !['completed', 'cancelled'].includes(verdict)) {
      report.contradictions.push(`${way} ${runId}: ${JSON.stringify(verdicts)}`)
    }
    if (verdict === 'completed' || verdict === 'cancelled') report.won[way][verdict] += 1
    this.#told.set(runId, { way, verdict })
    const delayMs = this.#delayMs[way]
    this.#delayMs[way] = Math.max(0.2, verdict === 'cancelled' ? delayMs * STEP : delayMs / STEP)
  }

  /** Starts the work; resolves with the caller's result. */
  async #begin(way: Way, tag: string): Promise<string> {
    const subject = this.#setting.subjects.agent
    const body = { message: messageOf(tag) }
    if (way === 'job') {
      const jobId = await this.#setting.start(subject, tag)
      for (;;) {
        const { status } = await this.#setting.poll(subject, jobId)
        if (status !== 'queued' && status !== 'running') return status
        await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      }
    }
    if (way === 'sync') {
      const { status, body: answer } = await this.#setting.server.call(`POST ${subject.path}/run`, { body })
      if (status === 200) return 'completed'
      const { error } = answer as { error: string }
      return status === 409 && error === 'run_cancelled' ? 'cancelled' : `${status} ${error}`
    }
    const reader = await readEvents(`${await this.#setting.origin()}${subject.path}/run-stream`, {
      method: 'POST',
      headers: {
        'x-api-key': this.#setting.server.seed.keys.organization,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    })
    await reader.ended
    return endIn(reader.events)
  }

  /** The verdicts of all parties about the run, the canceller's first. */
  async #verdicts(race: {
    way: Way
    runId: string
    answer: TestAnswer
    ran: string
    thorough: boolean
  }): Promise<[string, string][]> {
    const { way, runId, answer, ran, thorough } = race
    const subject = this.#setting.subjects.agent
    const verdicts: [string, string][] = [
      ['canceller', canceller(answer)],
      ['runner', ran],
      ['row', await this.#status(runId)],
    ]
    if (way === 'job' || (way === 'stream' && thorough)) {
      verdicts.push(['followed log', endIn(await this.#setting.log(subject, runId))])
    }
    if (way !== 'sync') verdicts.push(['log', await this.#logged(runId)])
    if (!thorough) return verdicts
    if (way === 'job') {
      verdicts.push(['poll elsewhere', (await this.#setting.poll(subject, runId, this.#servers[1])).status])
      verdicts.push(['second cancel', canceller(await this.#setting.cancel(subject, runId))])
    }
    const again = await this.#setting.cancelRun(subject, runId)
    if ((again.body as { cancelled: unknown }).cancelled !== false)
      verdicts.push(['second DELETE', 'cancelled'])
    return verdicts
  }

  /** The terminal event of the stored log, of which there is exactly one. */
  async #logged(runId: string): Promise<string> {
    const log = await this.#setting.server.context.database.runs.eventsAfter(checkedId(RunId, runId), 0)
    return log.flatMap(({ event }) => ENDS[event] ?? []).join()
  }

  async #status(runId: string): Promise<string> {
    const { context, seed } = this.#setting.server
    const scope = { organizationId: seed.organizationId, projectId: null }
    const target = {
      kind: 'agent' as const,
      entityId: this.#setting.subjects.agent.id as never,
      runId: checkedId(RunId, runId),
      isPlayground: false,
    }
    return (await context.database.runs.find(scope, target))?.status ?? 'missing'
  }

  /** A verdict never changes: all rows are read again, much later. */
  async #lookAgain(report: RaceReport): Promise<void> {
    for (const [runId, { way, verdict }] of this.#told) {
      const status = await this.#status(runId)
      if (status !== verdict) report.contradictions.push(`${way} ${runId}: ${verdict} has become ${status}`)
    }
  }
}

/** The verdict in the response to a cancel: for a finished run only that it was not this cancel. */
function canceller({ status, body }: TestAnswer): string {
  const told = body as { cancelled?: boolean; status?: string }
  if (status === 404) return 'completed'
  if (told.status) return told.status
  return told.cancelled ? 'cancelled' : 'completed'
}

/** The verdict of the terminal event of a stream. */
function endIn(events: readonly StreamEvent[]): string {
  const ends = events.flatMap(({ event }) => ENDS[event] ?? [])
  return ends.length === 1 && ENDS[events.at(-1)?.event ?? ''] ? String(ends[0]) : `ends: ${ends.join()}`
}
