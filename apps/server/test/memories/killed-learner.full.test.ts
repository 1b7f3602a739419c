import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Deployment, isPossible } from '../jobs/deployment.ts'
import { newTag, type Subject, subjectOf } from '../jobs/job-setting.ts'
import { instructionsOf } from '../jobs/scripted-crew.ts'

const PATIENT = { timeout: 60_000, interval: 50 }
/** The scripted crew's name for a call without instructions of an agent: the learner. */
const LEARNER = 'nobody'
const FACT = 'Ana drinks tea.'
const LEARNT = {
  text: '',
  toolCalls: [{ name: 'update_memories', arguments: { remember: [FACT], forget: [] } }],
}

describe.runIf(isPossible('postgres'))('a killed process that was learning about a user', () => {
  const agentId = randomUUID()
  const subject: Subject = subjectOf('agent', agentId)
  let deployment: Deployment
  beforeAll(async () => {
    const config = {
      instructions: instructionsOf('Learnt'),
      model: { retry: { attempts_per_model: 1 } },
      memory: { user_memories: { enabled: true } },
    }
    const agent = { slug: 'learnt', name: 'Learnt', id: agentId, status: 'active', config }
    const started = await Deployment.start('postgres', { agents: [agent] })
    if (!started) throw new Error('this machine lacks a part of postgres')
    deployment = started
  })
  afterAll(() => deployment?.[Symbol.asyncDispose]())

  /** The stored data for the user of a run: memories, ledger rows of the learning, and whether it is due. */
  async function stored(jobId: string, userId: string) {
    const [memories, ledger, due] = await Promise.all([
      deployment.sql(`select text from user_memories where user_id = '${userId}'`),
      deployment.sql(`select id from usage_records where run_id = '${jobId}' and purpose = 'memory'`),
      deployment.sql(`select id from runs where id = '${jobId}' and memory_due_at is not null`),
    ])
    return { memories, ledger: ledger.length, isDue: due.length === 1 }
  }

  const learning = (tag: string) => deployment.crew.callsOf(tag).filter(({ name }) => name === LEARNER)

  /** An ended job, from which the process is learning. */
  async function run(hangs: boolean) {
    const [tag, userId] = [newTag(), randomUUID()]
    deployment.crew.behave(tag, (_, name) =>
      name === LEARNER ? { ...LEARNT, ...(hangs && { hang: 'stream' }) } : {},
    )
    const jobId = await deployment.caller.start(subject, tag, { user_id: userId })
    await deployment.caller.untilEnded(subject, jobId, PATIENT.timeout)
    await expect.poll(() => learning(tag).length, PATIENT).toBe(1)
    return { tag, userId, jobId }
  }

  const kill = () => deployment.programs[0]?.end('SIGKILL')

  /** Lets the claim of the dead process expire, and starts another one. */
  async function learnAgain({ tag, userId, jobId }: Awaited<ReturnType<typeof run>>) {
    expect(await stored(jobId, userId)).toEqual({ memories: [], ledger: 0, isDue: true })
    const claimed = `id = '${jobId}' and memory_due_at between now() and now() + interval '2 minutes'`
    expect(await deployment.sql(`select id from runs where ${claimed}`)).toHaveLength(1)
    await deployment.sql(`update runs set memory_due_at = now() where id = '${jobId}'`)
    deployment.crew.behave(tag, (_, name) => (name === LEARNER ? LEARNT : {}))
    await deployment.boot(0)
    const done = { memories: [FACT], ledger: 1, isDue: false }
    await expect.poll(() => stored(jobId, userId), PATIENT).toEqual(done)
    expect(learning(tag)).toHaveLength(2)
  }

  test('during the model call: another one learns once', async () => {
    const started = await run(true)
    await expect.poll(() => deployment.crew.hanging(started.tag), PATIENT).toEqual([LEARNER])
    await kill()
    await learnAgain(started)
  })

  test('after the model’s response and before the commit: another one learns once', async () => {
    const lock = 'begin; lock table user_memories in exclusive mode; select pg_sleep(600)'
    const held = deployment.sql(lock).catch(() => [])
    const holder = `query like 'begin; lock table user_memories%'`
    const granted = `select 1 from pg_locks where relation = 'user_memories'::regclass and mode = 'ExclusiveLock' and granted`
    await expect.poll(() => deployment.sql(granted), PATIENT).toEqual(['1'])
    const started = await run(false)
    const waiting = `select 1 from pg_locks where relation = 'user_memories'::regclass and not granted`
    await expect.poll(() => deployment.sql(waiting), PATIENT).toEqual(['1'])
    await kill()
    await deployment.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity where ${holder} and pid <> pg_backend_pid()`,
    )
    await held
    // The connection of the dead process ends with its open transaction.
    const open = `select 1 from pg_locks where relation = 'user_memories'::regclass`
    await expect.poll(() => deployment.sql(open), PATIENT).toEqual([])
    await learnAgain(started)
  })
})
