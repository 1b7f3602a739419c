import { MomentText } from '../../atoms/states/moment-text.tsx'
import { WeekOfRuns } from '../../atoms/states/week-of-runs.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { serverNow } from '../../core/format/server-clock.ts'
import type { Moment } from '../../core/format/times.ts'
import { weekWords } from '../../core/lists/week-words.ts'
import { listWords } from '../../core/messages/en/lists.ts'

/** When each row was last changed. */
export function changedColumn(
  title: string,
  from: Column<unknown>['from'] = 'wide',
): Column<{ updatedAt: Moment }> {
  return {
    id: 'changed',
    title,
    width: '136px',
    from,
    cell: ({ updatedAt }) => <MomentText at={updatedAt} />,
  }
}

interface RecentRuns {
  runs7d: { ok: readonly number[]; failed: readonly number[] }
  runs24h: { failed: number }
  lastRunAt: Moment | null
}

/** The ended runs of the last seven days, and the failures of the last day. */
export const WEEK_COLUMN: Column<RecentRuns> = {
  id: 'week',
  title: listWords.week,
  width: '160px',
  from: 'wide',
  cell: ({ runs7d, runs24h, lastRunAt }) => (
    <WeekOfRuns
      {...runs7d}
      {...weekWords(runs7d, lastRunAt, serverNow())}
      failures={runs24h.failed > 0 && listWords.failedToday(runs24h.failed)}
    />
  ),
}

/** The names of a row's users or members; null: not loaded. */
export const namesText = (things: readonly { name: string }[] | null): string =>
  things?.map(({ name }) => name).join(', ') || '–'
