import type { AgentRunDetail, RunDetail } from '@troupe/contract/builder'

type MemberRun = AgentRunDetail['members'][number]

/**
 * The start of a run in milliseconds. Its own times are whole seconds, its duration and those of members exact: it started before
 * the first of them, and not earlier than its duration before its own end and that of the last of them. The remaining ambiguity is
 * resolved by its id, which is created just before the run starts.
 */
export function beginningOf(run: RunDetail, members: readonly MemberRun[]): number {
  const { runId, startedAt, createdAt, completedAt, durationMs } = run
  const earliest = (startedAt ?? createdAt) * 1_000
  const ends = members.flatMap(({ completedMs }) => completedMs ?? [])
  if (completedAt !== null) ends.push(completedAt * 1_000)
  const begun = durationMs === null ? earliest : Math.max(earliest, ...ends.map((end) => end - durationMs))
  const latest = Math.min(earliest + 999, ...members.map(({ startedMs }) => startedMs))
  return Math.min(latest, Math.max(begun, momentOfId(runId) ?? earliest))
}

/** The creation time of an id, in milliseconds: a version 7 UUID begins with it. null: another kind of id. */
function momentOfId(id: string): number | null {
  const [, high = '', low = ''] = /^([\da-f]{8})-([\da-f]{4})-7/i.exec(id) ?? []
  return high === '' ? null : Number.parseInt(high + low, 16)
}
