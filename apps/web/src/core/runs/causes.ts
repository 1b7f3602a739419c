import type { ListedRun } from '@troupe/builder-contract'

/** Failures of one agent, team or workflow with the same cause. */
export interface FailureCause {
  id: string
  name: string | null
  /** The first line of the error without its numbers and ids. */
  cause: string
  count: number
  /** The newest of them. */
  lastRun: ListedRun
}

/** An error without what differs from run to run. */
const causeOf = (message: string) =>
  (message.split('\n')[0] ?? '').replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|\d+/gi, '…').slice(0, 200)

/** Failed runs (newest first) by their cause, the most frequent first. */
export function failureCauses(runs: readonly ListedRun[]): FailureCause[] {
  const groups = new Map<string, FailureCause>()
  for (const run of runs) {
    if (!run.error) continue
    const cause = causeOf(run.error.message || run.error.code || '')
    const id = JSON.stringify([run.entity.id, run.error.code, cause])
    const group = groups.get(id)
    if (group) group.count += 1
    else groups.set(id, { id, name: run.entity.name, cause, count: 1, lastRun: run })
  }
  return [...groups.values()].toSorted((a, b) => b.count - a.count)
}
