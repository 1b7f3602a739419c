import type { ListedRun } from '@troupe/contract/builder'
import { ShareBar } from '../../../atoms/chart/share-bar.tsx'
import { Badge, Status } from '../../../atoms/states/badge.tsx'
import { KindTile } from '../../../atoms/states/kind-tile.tsx'
import { MomentText } from '../../../atoms/states/moment-text.tsx'
import type { Column } from '../../../atoms/table/columns.ts'
import { compactNumber, money, wholeNumber } from '../../../core/format/numbers.ts'
import { duration } from '../../../core/format/times.ts'
import { startedByText } from '../../../core/labels/started-by-text.ts'
import { runWords } from '../../../core/messages/en/runs.ts'
import { durationShare } from '../../../core/runs/duration-share.ts'
import { awaited, shownStatus, stateOfRun } from '../../../core/runs/run-state.ts'
import styles from './explorer.module.css'

/** The name of the executed agent, team or workflow. */
export const nameOfRun = ({ entity }: ListedRun) => entity.name ?? runWords.gone

const tokensOf = ({ inputTokens, outputTokens }: ListedRun) =>
  inputTokens === null ? '–' : compactNumber(inputTokens + (outputTokens ?? 0))

function What({ run }: { run: ListedRun }) {
  return (
    <span className={styles.what}>
      <KindTile kind={run.kind} label={runWords.kind[run.kind]} size="small" />
      <span className={styles.name}>{nameOfRun(run)}</span>
      {shownStatus(run) === 'awaiting_approval' && run.statusReason !== null && (
        <span className={styles.rest}>{runWords.waitsFor(awaited(run.statusReason))}</span>
      )}
      {run.isTest && (
        <span className={styles.trial}>
          <Badge>{runWords.trial}</Badge>
        </span>
      )}
      {run.error && <span className={styles.rest}>{run.error.message || run.error.code}</span>}
    </span>
  )
}

function Duration({ run: { durationMs, status } }: { run: ListedRun }) {
  if (durationMs === null) return '–'
  return (
    <span className={styles.duration}>
      <ShareBar share={durationShare(durationMs)} tone={stateOfRun(status) === 'failed' ? 'bad' : 'quiet'} />
      {duration(durationMs)}
    </span>
  )
}

/** The columns of the explorer. */
export const EXPLORER_COLUMNS: readonly Column<ListedRun>[] = [
  {
    id: 'what',
    title: runWords.what,
    cell: (run) => <What run={run} />,
    under: ({ createdAt, isTest }) => (
      <>
        <MomentText at={createdAt} />
        {isTest && ` · ${runWords.trial}`}
      </>
    ),
  },
  {
    id: 'status',
    title: runWords.status,
    width: '128px',
    cell: (run) => {
      const status = shownStatus(run)
      return <Status state={stateOfRun(status)}>{runWords.statuses[status]}</Status>
    },
  },
  {
    id: 'source',
    title: runWords.source,
    width: '152px',
    from: 'widest',
    cell: startedByText,
  },
  {
    id: 'version',
    title: runWords.version,
    align: 'end',
    width: '72px',
    from: 'huge',
    cell: ({ versionNumber }) => (versionNumber === null ? '–' : wholeNumber(versionNumber)),
  },
  {
    id: 'duration',
    title: runWords.duration,
    align: 'end',
    width: '128px',
    from: 'wider',
    cell: (run) => <Duration run={run} />,
  },
  { id: 'tokens', title: runWords.tokens, align: 'end', width: '80px', from: 'wider', cell: tokensOf },
  {
    id: 'cost',
    title: runWords.cost,
    align: 'end',
    width: '88px',
    from: 'widest',
    cell: ({ costUsd }) => money(costUsd),
  },
  {
    id: 'started',
    title: runWords.started,
    width: '120px',
    from: 'wide',
    cell: ({ createdAt }) => <MomentText at={createdAt} />,
  },
]
