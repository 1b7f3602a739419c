import { CircleX } from 'lucide-react'
import { Card, RowList, Section } from '../../../atoms/layout/page.tsx'
import { AskedPanel } from '../../../atoms/states/asked-panel.tsx'
import { MomentText } from '../../../atoms/states/moment-text.tsx'
import { wholeNumber } from '../../../core/format/numbers.ts'
import { runWords } from '../../../core/messages/en/runs.ts'
import { RUN_PARAMS, type RunParams, type runQuery } from '../../../core/runs/run-filter.ts'
import { withSearch } from '../../../core/url/paths.ts'
import { writeParams } from '../../../core/url/search-params.ts'
import { useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'

const MOST = 5

export interface FailureCausesListProps {
  params: RunParams
  query: ReturnType<typeof runQuery>
}

/** The newest failures of the filter by cause; each links to all of its runs. Nothing for a single cause. */
export function FailureCausesList({ params, query }: FailureCausesListProps) {
  const { paths } = usePlace()
  const asked = useOperation('listRunCauses', { query })
  const hrefOf = (entity: string, cause: string) =>
    withSearch(
      paths.runs,
      Object.fromEntries(writeParams(RUN_PARAMS, new URLSearchParams(), { ...params, entity, cause })),
    )
  if (asked.data === undefined && asked.failure === null) return null
  return (
    <AskedPanel asked={asked} failed={runWords.causesFailed}>
      {({ data, grouped, isCut }) =>
        data.length > 1 && (
          <Section title={runWords.causes} detail={runWords.causesDetail(wholeNumber(grouped), isCut)}>
            <Card flush>
              <RowList
                label={runWords.causes}
                rows={data.slice(0, MOST).map(({ kind, entity, cause, count, lastAt }) => ({
                  id: JSON.stringify([kind, entity.id, cause]),
                  title: entity.name ?? runWords.gone,
                  detail: cause,
                  lead: <CircleX size={16} color="var(--danger)" aria-hidden="true" />,
                  end: (
                    <>
                      {runWords.times(wholeNumber(count))} <MomentText at={lastAt} />
                    </>
                  ),
                  href: hrefOf(entity.id, cause),
                }))}
              />
            </Card>
          </Section>
        )
      }
    </AskedPanel>
  )
}
