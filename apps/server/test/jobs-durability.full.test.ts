import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Deployment, type DeploymentKind, isPossible } from './jobs/deployment.ts'
import { newTag } from './jobs/job-setting.ts'
import { CALLS, SUBJECTS, type SubjectName } from './jobs/scripted-crew.ts'
import { inFlight, lossesOf, noteFinished, type Survivor } from './jobs/survivors.ts'

const PATIENCE_MS = 90_000
/** Milliseconds in which an idle process commits a sent response. */
const COMMIT_MS = 500
const MOST_CALLS = Math.max(...SUBJECTS.map((name) => CALLS[name].length))
/** The number of the call during which the worker is killed. */
const KILLS: Readonly<Record<DeploymentKind, readonly number[]>> = {
  pglite: [1, 2, 3, 4, 5, 6, MOST_CALLS],
  postgres: [2, 4, MOST_CALLS],
  restate: [1, 2, 3, 4, 5, 6, MOST_CALLS],
}
const KINDS = Object.keys(KILLS) as DeploymentKind[]

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe.each(KINDS.filter(isPossible))('jobs on %s', (kind) => {
  let deployment: Deployment
  const undisturbed = {} as Record<SubjectName, string>
  beforeAll(async () => {
    const started = await Deployment.start(kind)
    if (!started) throw new Error(`this machine lacks a part of ${kind}`)
    deployment = started
    await Promise.all(
      SUBJECTS.map(async (name) => {
        const job = await begin(name)
        const { result } = await deployment.caller.untilEnded(job.subject, job.jobId, PATIENCE_MS)
        undisturbed[name] = result?.content.replaceAll(job.tag, 'TAG') ?? ''
        expect(deployment.crew.callsOf(job.tag)).toHaveLength(CALLS[name].length)
      }),
    )
  })
  afterAll(() => deployment?.[Symbol.asyncDispose]())
  afterEach(() => deployment.crew.forget())

  async function begin(name: SubjectName, prepare: (tag: string) => void = () => {}): Promise<Survivor> {
    const [subject, tag] = [deployment.customer.subjects[name], newTag()]
    prepare(tag)
    return { subject, tag, jobId: await deployment.caller.start(subject, tag), finished: new Map() }
  }

  /** Kills the process that works on the jobs, and restarts it. With several, the others continue in the meantime. */
  async function killWorker(
    jobs: readonly Survivor[],
    { awaitLeases = false, commitMs }: { awaitLeases?: boolean; commitMs: number | null },
  ): Promise<void> {
    const index = kind === 'restate' ? await busiest(jobs) : 0
    const program = deployment.programs[index]
    if (!program) throw new Error('no such program')
    const diedAt = Date.now()
    expect(await program.end('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' })
    await noteFinished(deployment, jobs, { diedAt, commitMs })
    for (const { tag } of jobs) deployment.crew.release(tag)
    if (kind === 'restate' && !awaitLeases) {
      await deployment.sql(
        `update runs set lease_until = now() where status = 'running' and worker_id like '%:${program.pid}:%'`,
      )
    }
    await deployment.boot(index)
  }

  async function busiest(jobs: readonly Survivor[]): Promise<number> {
    const ids = jobs.map(({ jobId }) => `'${jobId}'`).join()
    const workers = await deployment.sql(
      `select worker_id from runs where id in (${ids}) and worker_id is not null`,
    )
    const busy = deployment.programs.map(
      ({ pid }) => workers.filter((id) => id.split(':')[1] === String(pid)).length,
    )
    return busy.indexOf(Math.max(...busy))
  }

  async function losses(jobs: readonly Survivor[]): Promise<string[]> {
    const found = await Promise.all(
      jobs.map(async (survivor) => {
        const { subject, jobId } = survivor
        const job = await deployment.caller.untilEnded(subject, jobId, PATIENCE_MS)
        return lossesOf(deployment, survivor, job, undisturbed[subject.name])
      }),
    )
    return [...found.flat(), ...(await inFlight(deployment))]
  }

  test('survive a worker that is killed during any of their calls, and repeat no finished one', async () => {
    for (const nth of KILLS[kind]) {
      // With other workers, a response is only late: a living worker must get its response.
      const held = kind === 'restate' ? { firstTokenDelayMs: 3_000 } : ({ hang: 'stream' } as const)
      const prepare = (tag: string) => deployment.crew.behave(tag, (call) => (call >= nth ? held : {}))
      const names = SUBJECTS.filter((name) => CALLS[name].length >= nth)
      const jobs = await Promise.all(names.map((name) => begin(name, prepare)))
      await expect
        .poll(() => jobs.every(({ tag }) => deployment.crew.callsOf(tag).length >= nth), { timeout: 20_000 })
        .toBe(true)
      await pause(COMMIT_MS + 50)
      await killWorker(jobs, { awaitLeases: nth === 1, commitMs: COMMIT_MS })
      expect(await losses(jobs), `killed during call ${nth}`).toEqual([])
    }
  })

  test('survive workers that are killed repeatedly at random moments', async () => {
    const between = (least: number, most: number) => least + Math.random() * (most - least)
    const slowly = (tag: string) =>
      deployment.crew.behave(tag, () => ({ firstTokenDelayMs: between(5, 120), paceMs: between(1, 40) }))
    const jobs = await Promise.all(
      Array.from({ length: 30 }, (_, index) => begin(SUBJECTS[index % SUBJECTS.length] ?? 'agent', slowly)),
    )
    // A third crash on one step would end its job.
    for (let kills = 0; kills < 2; kills += 1) {
      await pause(between(50, 400))
      await killWorker(jobs, { commitMs: null })
      for (const { tag } of jobs) slowly(tag)
    }
    expect(await losses(jobs)).toEqual([])
  })
})
