import type { HomeView } from '@troupe/contract/builder'
import { CircleCheck } from 'lucide-react'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { Card, PageLayout, RowList, Section } from '../../atoms/layout/page.tsx'
import { useArrivals } from '../../atoms/motion/use-arrivals.ts'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Status } from '../../atoms/states/badge.tsx'
import { KindTile } from '../../atoms/states/kind-tile.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { duration } from '../../core/format/times.ts'
import { homeWords as words } from '../../core/messages/en/operate/home.ts'
import { budgetOfPause } from '../../core/runs/budget-pause.ts'
import { latestRuns } from '../../core/runs/latest-runs.ts'
import { shownStatus, stateOfRun } from '../../core/runs/run-state.ts'
import { projectInput } from '../../core/url/list-params.ts'
import { useChanges } from '../../infrastructure/events/use-changes.ts'
import { useThrottled } from '../../infrastructure/events/use-throttled.ts'
import { useAskAgain } from '../../infrastructure/queries/use-ask-again.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { DayTiles } from './day-tiles.tsx'
import { FirstSteps } from './first-steps.tsx'
import styles from './home.module.css'
import { needRows } from './need-rows.tsx'
import { RecentEdits } from './recent-edits.tsx'

/** Rows of the latest runs. */
const MOST = 6
/** More than are shown, because one schedule may have started most of them. */
const ASKED = 50

/** Items that need the user's attention, active or latest runs, and the first steps. */
export function HomePage() {
  const { session, membership, projectId } = usePlace()
  const home = useOperation('getHome', projectInput(projectId), { keepsFormer: false })
  // The first response of this visit replaces the one of an earlier visit.
  const list = `${projectId} ${home.knownAt}`
  const askAgain = useAskAgain()
  useChanges(
    ['runs', 'reviews'],
    useThrottled(() => askAgain(['getHome', 'listRuns'])),
  )
  const name = session.person.name.split(' ')[0] ?? session.person.name
  return (
    <PageLayout title={words.greeting(new Date().getHours(), name)} detail={membership.name} width="medium">
      <DayTiles />
      <AskedPanel asked={home} failed={words.failed} lines={6}>
        {(data) => (
          <div className={styles.columns}>
            <div className={styles.column}>
              <Needs home={data} list={list} />
              <RunStrip home={data} list={list} />
            </div>
            <div className={styles.column}>
              <FirstSteps done={data.steps} agentToTalkTo={data.agentToTalkTo} />
              <RecentEdits />
            </div>
          </div>
        )}
      </AskedPanel>
    </PageLayout>
  )
}

interface HomeListProps {
  home: HomeView
  /** Changes with the project, and after a response of an earlier visit. */
  list: string
}

function Needs({ home, list }: HomeListProps) {
  const { paths } = usePlace()
  const rows = needRows(home, paths)
  const arrived = useArrivals(
    list,
    rows.map(({ id }) => id),
  )
  return (
    <Section title={words.needsYou}>
      {rows.length > 0 ? (
        <Card flush>
          <RowList label={words.needsYou} rows={rows} arrived={arrived} />
        </Card>
      ) : (
        <Card>
          <div className={styles.quiet}>
            <CircleCheck size={20} aria-hidden="true" />
            <div>
              <strong>{words.nothing}</strong>
              <p>{words.nothingDetail}</p>
            </div>
          </div>
        </Card>
      )}
    </Section>
  )
}

/** The reason why a run is not progressing; undefined: none known. */
function reasonOf({ statusReason }: HomeView['running']['data'][number]): string | undefined {
  const metric = budgetOfPause(statusReason)
  return metric === null ? (statusReason ?? undefined) : words.outOfBudget(words.metrics[metric])
}

/** Active runs, without those that wait for this user, which are shown above; the latest runs while none is active. */
function RunStrip({ home: { running, reviews, approvals }, list }: HomeListProps) {
  const { paths, projectId } = usePlace()
  const asking = new Set([
    ...reviews.next.map(({ executionId }) => executionId),
    ...approvals.next.map(({ runId }) => runId),
  ])
  const active = running.data.filter(({ runId }) => !asking.has(runId))
  const isIdle = active.length === 0
  const { data } = useOperation(
    'listRuns',
    { query: { ...projectInput(projectId).query, limit: ASKED } },
    { isEnabled: isIdle },
  )
  const latest = latestRuns(data?.data ?? []).slice(0, MOST)
  const rows = [
    ...active.map((run) => ({ run, detail: reasonOf(run), tookMs: null })),
    ...(isIdle ? latest : []).map(({ run, inARow }) => ({
      run,
      detail: [run.startedBy?.name, inARow > 1 && words.inARow(inARow)].filter(Boolean).join(' · '),
      tookMs: run.durationMs,
    })),
  ]
  const isLoaded = !isIdle || data !== undefined
  const arrived = useArrivals(`${list} ${isIdle}`, isLoaded ? rows.map(({ run }) => run.runId) : null)
  const title = isIdle ? words.latest : words.running
  return (
    <Section
      title={title}
      detail={isIdle ? data && rows.length === 0 && words.noRuns : words.runningDetail(running.count)}
      actions={<TextLink href={paths.runs}>{words.allRuns}</TextLink>}
    >
      {rows.length > 0 && (
        <Card flush>
          <RowList
            label={title}
            arrived={arrived}
            rows={rows.map(({ run, detail, tookMs }) => ({
              id: run.runId,
              title: run.entity.name ?? words.deleted,
              detail,
              lead: <KindTile kind={run.kind} label={words.kinds[run.kind]} size="small" />,
              end: (
                <span className={styles.ends}>
                  <span className={styles.state}>
                    <Status state={stateOfRun(shownStatus(run))} />
                  </span>
                  {tookMs !== null && <span className={styles.took}>{duration(tookMs)}</span>}
                  <span className={styles.when}>
                    <MomentText at={run.createdAt} />
                  </span>
                </span>
              ),
              href: paths.run(run.runId),
            }))}
          />
        </Card>
      )}
    </Section>
  )
}
