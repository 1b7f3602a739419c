import type { ListedRun } from '@troupe/builder-contract'
import { CircleX } from 'lucide-react'
import { useMemo } from 'react'
import { Card, RowList, Section } from '../../../atoms/layout/page.tsx'
import { MomentText } from '../../../atoms/states/moment-text.tsx'
import { wholeNumber } from '../../../core/format/numbers.ts'
import { runWords } from '../../../core/messages/en/runs.ts'
import { failureCauses } from '../../../core/runs/causes.ts'
import { usePlace } from '../../../infrastructure/session/session.ts'

const MOST = 5

/** The loaded failures by their cause; each leads to the newest of its runs. Nothing is shown for a single cause. */
export function FailureCausesList({ runs }: { runs: readonly ListedRun[] }) {
  const { paths } = usePlace()
  const causes = useMemo(() => failureCauses(runs), [runs])
  if (causes.length < 2) return null
  return (
    <Section title={runWords.causes} detail={runWords.causesDetail(wholeNumber(runs.length))}>
      <Card flush>
        <RowList
          label={runWords.causes}
          rows={causes.slice(0, MOST).map(({ id, name, cause, count, lastRun }) => ({
            id,
            title: name ?? runWords.gone,
            detail: cause,
            lead: <CircleX size={16} color="var(--danger)" aria-hidden="true" />,
            end: (
              <>
                {runWords.times(count)} <MomentText at={lastRun.createdAt} />
              </>
            ),
            href: paths.run(lastRun.runId),
          }))}
        />
      </Card>
    </Section>
  )
}
