import type { RunDetail } from '@troupe/builder-contract'
import { Bot, Brain, ListChecks, Play, UserCheck, Wrench } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import { TimeBar } from '../../atoms/chart/time-bar.tsx'
import { Section } from '../../atoms/layout/page.tsx'
import { SideSheet } from '../../atoms/overlays/dialog.tsx'
import { Status } from '../../atoms/states/badge.tsx'
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

const PARAMS = { node: optionalParam }
const ICONS = { run: Play, round: ListChecks, member: Bot, model: Brain, wait: UserCheck, tool: Wrench }
const idOfStep = ({ id }: TraceStep) => id
const nameOfStep = ({ title, detail }: TraceStep) => [title, detail].filter(Boolean).join(', ')

/** The run: the whole of the timeline. While it goes on, the end of its last step. */
const wholeOf = (steps: readonly TraceStep[]) =>
  steps[0]?.durationMs ??
  steps.reduce((most, { startMs, durationMs }) => Math.max(most, (startMs ?? 0) + (durationMs ?? 0)), 1)

function columnsFor(totalMs: number): readonly Column<TraceStep>[] {
  return [
    { id: 'step', title: runWords.step, cell: (step) => <StepName step={step} /> },
    {
      id: 'status',
      title: runWords.status,
      from: 'wide',
      width: '120px',
      cell: ({ state }) => <Status state={state} />,
    },
    { id: 'why', title: runWords.why, from: 'widest', cell: ({ why }) => <span title={why}>{why}</span> },
    {
      id: 'timeline',
      title: runWords.timeline,
      from: 'wide',
      width: '22%',
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
      width: '88px',
      cell: ({ durationMs }) => (durationMs === null ? '–' : duration(durationMs)),
    },
  ]
}

/** Tree and timeline of a run in one: members, model calls and tools, each with its reason. A row opens the step. */
export function StepList({ run }: { run: RunDetail }) {
  const { paths } = usePlace()
  const [{ node }, setParams] = useSearchParams(PARAMS)
  const steps = useMemo(() => traceSteps(run), [run])
  const columns = useMemo(() => columnsFor(wholeOf(steps)), [steps])
  const hrefOf = useCallback(({ id }: TraceStep) => paths.run(run.runId, id), [paths, run.runId])
  const opened = steps.find(({ id }) => id === node) ?? null
  if (steps.length < 2) return null
  return (
    <Section title={runWords.steps} detail={runWords.stepsDetail}>
      <DataTable
        label={runWords.steps}
        rows={steps}
        columns={columns}
        idOf={idOfStep}
        nameOf={nameOfStep}
        hrefOf={hrefOf}
      />
      <SideSheet
        isOpen={opened !== null}
        onClose={() => setParams({ node: null })}
        title={opened?.title ?? ''}
      >
        {opened && <StepDetails run={run} step={opened} />}
      </SideSheet>
    </Section>
  )
}

function StepName({ step: { kind, depth, title, detail, state } }: { step: TraceStep }) {
  const Icon = ICONS[kind]
  return (
    <span className={styles.what} style={{ paddingInlineStart: `calc(${depth} * var(--indent))` }}>
      <Icon size={14} aria-hidden="true" />
      <span className={styles.narrowState}>
        <Status state={state} look="icon" />
      </span>
      <span className={styles.name}>
        {title}
        {detail && <span className={styles.quiet}> {detail}</span>}
      </span>
    </span>
  )
}
