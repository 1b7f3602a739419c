import { TextLink } from '../../atoms/controls/text-link.tsx'
import { Card, RowList, Section } from '../../atoms/layout/page.tsx'
import { Status } from '../../atoms/states/badge.tsx'
import { KindTile } from '../../atoms/states/kind-tile.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { duration } from '../../core/format/times.ts'
import { homeWords as words } from '../../core/messages/en/operate/home.ts'
import { latestRuns } from '../../core/runs/latest-runs.ts'
import { shownStatus, stateOfRun } from '../../core/runs/run-state.ts'
import { projectInput } from '../../core/url/list-params.ts'
import { useRefreshOn } from '../../infrastructure/events/use-changes.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import styles from './home.module.css'

const MOST = 6
/** A schedule alone may have ended most of them. */
const ASKED = 50

/** The runs that ended last, each with its result and duration. */
export function LatestRuns() {
  const { paths, projectId } = usePlace()
  const { data } = useOperation('listRuns', { query: { ...projectInput(projectId).query, limit: ASKED } })
  useRefreshOn(['runs'], ['listRuns'])
  const rows = latestRuns(data?.data ?? []).slice(0, MOST)
  return (
    <Section
      title={words.latest}
      detail={data && rows.length === 0 ? words.noRuns : undefined}
      actions={<TextLink href={paths.runs}>{words.allRuns}</TextLink>}
    >
      {rows.length > 0 && (
        <Card flush>
          <RowList
            label={words.latest}
            rows={rows.map(({ run, more }) => ({
              id: run.runId,
              title: run.entity.name ?? words.deleted,
              detail: [run.startedBy?.name, more > 0 && words.inARow(more + 1)].filter(Boolean).join(' · '),
              lead: <KindTile kind={run.kind} label={words.kinds[run.kind]} size="small" />,
              end: (
                <>
                  <Status state={stateOfRun(shownStatus(run))} />
                  {run.durationMs !== null && <span className={styles.took}>{duration(run.durationMs)}</span>}
                  <span className={styles.when}>
                    <MomentText at={run.createdAt} />
                  </span>
                </>
              ),
              href: paths.run(run.runId),
            }))}
          />
        </Card>
      )}
    </Section>
  )
}
