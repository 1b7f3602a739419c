import type { RunDetail } from '@troupe/contract/builder'
import { Brain, ListChecks, type LucideIcon, UserCheck, Wrench } from 'lucide-react'
import { type ReactNode, useCallback, useMemo } from 'react'
import { TimeAxis } from '../../atoms/chart/time-axis.tsx'
import { TimeBar } from '../../atoms/chart/time-bar.tsx'
import { Section } from '../../atoms/layout/page.tsx'
import { useIsSplit } from '../../atoms/overlays/use-is-split.ts'
import { Status } from '../../atoms/states/badge.tsx'
import { KindTile } from '../../atoms/states/kind-tile.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { DataTable } from '../../atoms/table/data-table.tsx'
import { duration } from '../../core/format/times.ts'
import { runWords } from '../../core/messages/en/runs.ts'
import { traceSteps } from '../../core/runs/trace.ts'
import type { TraceStep } from '../../core/runs/trace-step.ts'
import { optionalParam } from '../../core/url/search-params.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import styles from './runs.module.css'
import { StepDetails } from './step-details.tsx'
import { TraceView } from './trace-view.tsx'

const PARAMS = { node: optionalParam }
/** Members are agents, with their tile; the run itself has its tile in the head of the page. */
const ICONS: Partial<Record<TraceStep['kind'], LucideIcon>> = {
  round: ListChecks,
  model: Brain,
  wait: UserCheck,
  tool: Wrench,
}
const idOfStep = ({ id }: TraceStep) => id
const nameOfStep = ({ title, detail }: TraceStep) => [title, detail].filter(Boolean).join(', ')

/** The duration of the run: the whole timeline. While it is active, the end of its last step. */
const wholeOf = (steps: readonly TraceStep[]) =>
  steps[0]?.durationMs ??
  steps.reduce((most, { startMs, durationMs }) => Math.max(most, (startMs ?? 0) + (durationMs ?? 0)), 1)

function columnsFor(totalMs: number): readonly Column<TraceStep>[] {
  return [
    { id: 'step', title: runWords.step, cell: (step) => <StepName step={step} /> },
    {
      id: 'timeline',
      title: runWords.timeline,
      head: <TimeAxis label={runWords.timeline} totalMs={totalMs} />,
      from: 'wide',
      width: '46%',
      cell: ({ kind, state, startMs, durationMs, isEstimated }) => (
        <TimeBar
          {...{ startMs, durationMs, totalMs, isEstimated }}
          tone={state === 'failed' ? 'bad' : kind === 'run' ? 'quiet' : 'normal'}
        />
      ),
    },
    {
      id: 'took',
      title: runWords.duration,
      align: 'end',
      width: '80px',
      cell: ({ durationMs }) => (durationMs === null ? '–' : duration(durationMs)),
    },
  ]
}

/** Tree and timeline of a run in one: members, model calls and tools. A click on a row, or an arrow key, opens the step. */
export function StepList({ run, root }: { run: RunDetail; root: ReactNode }) {
  const { paths } = usePlace()
  const [{ node }, setParams] = useSearchParams(PARAMS)
  const steps = useMemo(() => traceSteps(run), [run])
  const columns = useMemo(() => columnsFor(wholeOf(steps)), [steps])
  // The first step is the run itself, which is shown while no other step is open.
  const nodeOf = ({ id }: TraceStep) => (id === steps[0]?.id ? null : id)
  const hrefOf = useCallback(
    ({ id }: TraceStep) => paths.run(run.runId, id === steps[0]?.id ? undefined : id),
    [paths, run.runId, steps],
  )
  const opened = steps.find((step) => nodeOf(step) !== null && step.id === node) ?? null
  const isSplit = useIsSplit()
  if (steps.length < 2) return root
  const list = (
    <Section title={runWords.steps} detail={runWords.stepsDetail}>
      <DataTable
        label={runWords.steps}
        rows={steps}
        columns={columns}
        idOf={idOfStep}
        nameOf={nameOfStep}
        hrefOf={hrefOf}
        {...(isSplit && {
          openedId: (opened ?? steps[0])?.id ?? null,
          onMove: (step: TraceStep) => setParams({ node: nodeOf(step) }),
        })}
      />
    </Section>
  )
  return (
    <TraceView
      root={root}
      opened={
        opened && {
          title: opened.title,
          content: <StepDetails run={run} step={opened} />,
          onClose: () => setParams({ node: null }),
        }
      }
    >
      {list}
    </TraceView>
  )
}

function StepName({ step: { kind, depth, title, detail, state } }: { step: TraceStep }) {
  const Icon = ICONS[kind]
  return (
    <span className={styles.what} style={{ paddingInlineStart: `calc(${depth} * var(--indent))` }}>
      <Status state={state} look="icon" />
      {kind === 'member' && <KindTile kind="agent" size="small" />}
      {Icon && <Icon size={14} aria-hidden="true" />}
      <span className={styles.name}>
        {title}
        {detail && <span className={styles.quiet}> {detail}</span>}
      </span>
    </span>
  )
}
