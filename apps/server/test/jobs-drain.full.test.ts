import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Deployment, type DeploymentKind, isPossible } from './jobs/deployment.ts'
import { newTag } from './jobs/job-setting.ts'
import { CALLS, SUBJECTS } from './jobs/scripted-crew.ts'
import { inFlight, lossesOf } from './jobs/survivors.ts'

const KINDS: readonly DeploymentKind[] = ['pglite', 'restate']
const PATIENCE_MS = 90_000
/** Orchestrators kill after 30 seconds. */
const EXIT_MS = 30_000

describe.each(KINDS.filter(isPossible))('stopping a worker with jobs on %s', (kind) => {
  let deployment: Deployment
  beforeAll(async () => {
    const started = await Deployment.start(kind)
    if (!started) throw new Error(`this machine lacks a part of ${kind}`)
    deployment = started
  })
  afterAll(() => deployment?.[Symbol.asyncDispose]())
  afterEach(() => deployment.crew.forget())

  async function begin(behaviour: Parameters<Deployment['crew']['behave']>[1]) {
    const jobs = await Promise.all(
      SUBJECTS.map(async (name) => {
        const [subject, tag] = [deployment.customer.subjects[name], newTag()]
        deployment.crew.behave(tag, behaviour)
        return {
          subject,
          tag,
          jobId: await deployment.caller.start(subject, tag),
          finished: new Map<string, number>(),
        }
      }),
    )
    await expect
      .poll(() => jobs.every(({ tag }) => deployment.crew.callsOf(tag).length > 0), { timeout: 20_000 })
      .toBe(true)
    return jobs
  }

  async function stopAll(): Promise<number> {
    const since = Date.now()
    const exits = await Promise.all(deployment.programs.map((program) => program.end('SIGTERM')))
    expect(exits).toEqual(exits.map(() => ({ code: 0, signal: null })))
    return Date.now() - since
  }

  async function losses(jobs: Awaited<ReturnType<typeof begin>>): Promise<string[]> {
    const found = await Promise.all(
      jobs.map(async (survivor) => {
        const { subject, tag, jobId } = survivor
        const job = await deployment.caller.untilEnded(subject, jobId, PATIENCE_MS)
        const content = job.result?.content.replaceAll(tag, 'TAG') ?? ''
        return lossesOf(deployment, survivor, job, content)
      }),
    )
    return [...found.flat(), ...(await inFlight(deployment))]
  }

  test('lets them continue elsewhere or after the restart, without a repeated call', async () => {
    const jobs = await begin(() => ({ firstTokenDelayMs: 1_000 }))
    expect(await stopAll()).toBeLessThan(10_000)
    for (const index of deployment.programs.keys()) await deployment.boot(index)
    expect(await losses(jobs)).toEqual([])
    for (const { subject, tag } of jobs) {
      expect(deployment.crew.callsOf(tag)).toHaveLength(CALLS[subject.name].length)
    }
  })

  test('waits for a model no longer than its grace period, and the call is repeated', async () => {
    const jobs = await begin(() => ({ hang: 'stream' }))
    const took = await stopAll()
    expect(took).toBeGreaterThan(15_000)
    expect(took).toBeLessThan(EXIT_MS)
    for (const { tag } of jobs) deployment.crew.release(tag)
    for (const index of deployment.programs.keys()) await deployment.boot(index)
    expect(await losses(jobs)).toEqual([])
  })
})
