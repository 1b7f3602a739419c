import type { MemberRun, RunEnd, UsageRecord } from '@troupe/agents/ports'
import type { Database } from '@troupe/storage'

/** Rows of runs accepted by the database. */
export interface WrittenRows {
  /** Root runs that have ended, newest first. */
  runIds(): [string, ...string[]]
  /** Ledger rows of a root run. */
  ledger(runId: string): UsageRecord[]
  /** Members' rows of a root run. */
  members(runId: string): MemberRun[]
  /** The last end written for a root run; undefined without one. */
  end(runId: string): RunEnd | undefined
}

/** Records the rows written to the database. There is no API for them: callers see totals only. */
export function recordRows({ runs, jobs }: Pick<Database, 'runs' | 'jobs'>): WrittenRows {
  const usage = new Map<string, UsageRecord[]>()
  const members = new Map<string, MemberRun[]>()
  const ends = new Map<string, RunEnd>()
  const note = (
    runId: string,
    rows: { usage: readonly UsageRecord[]; members: readonly MemberRun[] },
  ): void => {
    usage.set(runId, [...(usage.get(runId) ?? []), ...rows.usage])
    members.set(runId, [...(members.get(runId) ?? []), ...rows.members])
  }
  const { finish, settleCancelled } = runs
  const { commitStep } = jobs
  runs.finish = async (end) => {
    const outcome = await finish(end)
    if (outcome.finished) {
      note(end.runId, end)
      ends.set(end.runId, end)
    }
    return outcome
  }
  runs.settleCancelled = async (end) => {
    await settleCancelled(end)
    note(end.runId, end)
    ends.set(end.runId, end)
  }
  jobs.commitStep = async (step) => {
    const held = await commitStep(step)
    if (held) note(step.runId, step)
    return held
  }
  return {
    runIds: () => [...ends.keys()].toReversed() as [string, ...string[]],
    ledger: (runId) => usage.get(runId) ?? [],
    members: (runId) => members.get(runId) ?? [],
    end: (runId) => ends.get(runId),
  }
}

/** The tokens of ledger rows, with the names of metrics. */
export function tokensOf(rows: readonly UsageRecord[]): { inputTokens: number; outputTokens: number } {
  return {
    inputTokens: rows.reduce((sum, row) => sum + row.inputTokens, 0),
    outputTokens: rows.reduce((sum, row) => sum + row.outputTokens, 0),
  }
}
