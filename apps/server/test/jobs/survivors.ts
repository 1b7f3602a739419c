import type { Deployment } from './deployment.ts'
import type { Job, Subject } from './job-setting.ts'
import { logProblems } from './log-rules.ts'
import { CALLS, MEMBER_RUNS, type SubjectName } from './scripted-crew.ts'

/** A job that survives crashes of workers. */
export interface Survivor {
  subject: Subject
  tag: string
  jobId: string
  /** Calls answered and committed before a crash, with the number of their starts by then: none may be repeated. */
  finished: Map<string, number>
}

/** The call stored by a step of the journal; null for steps without one. */
function callOf(subject: SubjectName, key: string): string | null {
  const MEMBERS = { m1: 'Billing', m2: 'Support' } as const
  const lead = /^step:(\d)$/.exec(key)?.[1]
  if (lead) return subject === 'agent' ? 'chat' : `lead:${lead}`
  const task = /^task:(t\d):1\/step:0$/.exec(key)?.[1]
  if (task) return task === 't1' ? `Billing:${task}` : `Support:${task}`
  const member = /(m[12])(:0)?\/step:0$/.exec(key)?.[1] as keyof typeof MEMBERS | undefined
  if (member) return MEMBERS[member]
  if (key === 'route:0') return 'route'
  return CALLS[subject].includes(key) ? key : null
}

/**
 * Records the calls of the jobs that must never be repeated. PostgreSQL has them; PGlite's folder cannot be queried while it is
 * closed, so there a call counts if its response was sent `commitMs` before the worker died; null for a worker that was too busy to
 * tell. The worker must be dead.
 */
export async function noteFinished(
  deployment: Deployment,
  jobs: readonly Survivor[],
  { diedAt, commitMs }: { diedAt: number; commitMs: number | null },
): Promise<void> {
  for (const { jobId, subject, tag, finished } of jobs) {
    const calls = deployment.crew.callsOf(tag)
    // A call interrupted by an earlier crash was rightly restarted before it finished.
    const note = (name: string) => {
      if (!finished.has(name)) finished.set(name, calls.filter((call) => call.name === name).length)
    }
    if (deployment.hasSql) {
      const keys = await deployment.sql(`select key from run_steps where run_id = '${jobId}'`)
      for (const key of keys) note(callOf(subject.name, key) ?? key)
      continue
    }
    if (commitMs === null) continue
    for (const { name, answeredAt } of calls) {
      if (answeredAt !== null && answeredAt <= diedAt - commitMs) note(name)
    }
  }
}

/** Everything lost or repeated by a job; empty if it is as if no process had crashed. */
export async function lossesOf(
  deployment: Deployment,
  { subject, tag, jobId, finished }: Survivor,
  job: Job,
  undisturbed: string,
): Promise<string[]> {
  const problems: string[] = []
  const expected = CALLS[subject.name]
  if (job.status !== 'completed') return [`${subject.name} ended as ${job.status}: ${job.error}`]
  const content = job.result?.content.replaceAll(tag, 'TAG')
  if (content !== undisturbed) problems.push(`the content is "${content}" instead of "${undisturbed}"`)
  const calls = deployment.crew.callsOf(tag).map(({ name }) => name)
  const missing = expected.filter((name) => !calls.includes(name))
  const unknown = calls.filter((name) => !expected.includes(name))
  if (missing.length + unknown.length > 0) problems.push(`calls: ${calls.join()}`)
  for (const [name, before] of finished) {
    const again = calls.filter((call) => call === name).length - before
    if (again > 0) problems.push(`${name} was finished, and called ${again} times after that`)
  }
  // 10 tokens in and 5 out for each call, and each is in the ledger once, however often it was started.
  const { inputTokens, outputTokens } = job.result?.metrics ?? {}
  if (inputTokens !== 10 * expected.length || outputTokens !== 5 * expected.length) {
    problems.push(`the metrics are ${inputTokens} and ${outputTokens}`)
  }
  const log = await deployment.caller.log(subject, jobId)
  problems.push(...logProblems(log))
  const members = log.filter(({ event }) => event === 'MemberRunStarted').length
  if (members !== MEMBER_RUNS[subject.name]) problems.push(`${members} members were started`)
  if (deployment.hasSql) problems.push(...(await rowProblems(deployment, jobId, job)))
  return problems.map((problem) => `${subject.name} ${tag}: ${problem}`)
}

async function rowProblems(deployment: Deployment, jobId: string, { result }: Job): Promise<string[]> {
  const [ledger] = await deployment.sql(
    `select coalesce(sum(input_tokens), 0) || ' ' || coalesce(sum(output_tokens), 0) from usage_records where run_id = '${jobId}'`,
  )
  const { inputTokens, outputTokens } = result?.metrics ?? {}
  const problems = ledger === `${inputTokens} ${outputTokens}` ? [] : [`the ledger has ${ledger}`]
  const twice = await deployment.sql(
    `select step_key from runs where parent_run_id = '${jobId}' group by step_key having count(*) > 1`,
  )
  if (twice.length > 0) problems.push(`members with two rows: ${twice.join()}`)
  const [left] = await deployment.sql(`select count(*) from run_steps where run_id = '${jobId}'`)
  if (left !== '0') problems.push(`${left} steps are left in the journal`)
  return problems
}

/** Rows without a worker that have not ended. */
export async function inFlight(deployment: Deployment): Promise<string[]> {
  if (!deployment.hasSql) return []
  return deployment.sql(`select id || ' ' || status from runs where status in ('queued', 'running')`)
}
