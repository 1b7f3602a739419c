import type { AgentSummary } from '@troupe/contract/builder'
import type { AgentOverview, TeamOverview } from '@troupe/storage'

/** The number and cost of an agent's or a team's runs. */
export function presentActivity(
  row: AgentOverview | TeamOverview,
): Pick<AgentSummary, 'lastRunAt' | 'runs24h' | 'runs7d' | 'costUsd7d'> {
  return {
    lastRunAt: row.lastRunAt?.toISOString() ?? null,
    runs24h: { ok: row.completed24h, failed: row.failed24h },
    runs7d: row.week,
    costUsd7d: row.costMicros7d === null ? null : row.costMicros7d / 1_000_000,
  }
}
