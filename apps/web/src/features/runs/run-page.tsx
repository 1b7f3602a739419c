import type { RunDetail } from '@troupe/builder-contract'
import { Button } from '../../atoms/controls/button.tsx'
import { CopyField } from '../../atoms/controls/copy-field.tsx'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { Card, Facts, PageLayout, Section } from '../../atoms/layout/page.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Status } from '../../atoms/states/badge.tsx'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { ErrorPanel } from '../../atoms/states/panels.tsx'
import { money, wholeNumber } from '../../core/format/numbers.ts'
import { duration } from '../../core/format/times.ts'
import { runWords } from '../../core/messages/en/runs.ts'
import { isEnded, stateOfRun } from '../../core/runs/run-state.ts'
import { useChange, useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useGoTo, usePathParam } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/session/session.ts'
import { AgentTrace } from './agent-trace.tsx'
import { WorkflowTrace } from './workflow-trace.tsx'

const WATCH_MS = 1_000

/** One run: what became of it, when, for how much, and every step. */
export function RunPage() {
  const { paths } = usePlace()
  const runId = usePathParam('runId')
  const first = useOperation('getRun', { params: { runId } })
  const isOpen = first.data !== undefined && !isEnded(first.data.status)
  const run = useOperation('getRun', { params: { runId } }, isOpen ? { everyMs: WATCH_MS } : {})
  const name = run.data?.entity.name ?? runWords.gone
  return (
    <PageLayout
      title={run.data ? verdict(run.data) : runWords.title}
      crumbs={[{ label: runWords.title, href: paths.runs }]}
      {...(run.data
        ? {
            mark: (
              <Status state={stateOfRun(run.data.status)} look="badge">
                {runWords.statuses[run.data.status]}
              </Status>
            ),
            detail: <TextLink href={entityPath(run.data, paths)}>{name}</TextLink>,
            actions: <RunActions run={run.data} />,
          }
        : {})}
    >
      <AskedPanel asked={run} failed={runWords.runFailed} lines={10}>
        {(data) => <RunParts run={data} />}
      </AskedPanel>
    </PageLayout>
  )
}

function verdict({ kind, entity, status, durationMs }: RunDetail): string {
  const took = durationMs === null ? null : duration(durationMs)
  return runWords.verdict(entity.name ?? runWords.kind[kind], runWords.statuses[status], took)
}

function entityPath({ kind, entity }: RunDetail, paths: ReturnType<typeof usePlace>['paths']): string {
  return { agent: paths.agent, team: paths.team, workflow: paths.workflow }[kind](entity.id)
}

function RunActions({ run }: { run: RunDetail }) {
  const { may, paths } = usePlace()
  const goTo = useGoTo()
  const cancel = useChange('cancelRun', { refreshes: ['getRun', 'listRuns'] })
  const rerun = useChange('rerun', { refreshes: ['listRuns'] })
  const { runId } = run
  const again = async () => {
    const started = await rerun.run({ params: { runId } })
    if (started) goTo(paths.run(started.answer.runId))
  }
  const failure = cancel.failure ?? rerun.failure
  if (!may('build')) return null
  return (
    <>
      <FailurePanel title={cancel.failure ? runWords.cancelFailed : runWords.rerunFailed} failure={failure} />
      {isEnded(run.status) ? (
        <Button onPress={again} isPending={rerun.isPending}>
          {runWords.rerun}
        </Button>
      ) : (
        <Button
          emphasis="danger"
          isPending={cancel.isPending}
          onPress={() => void cancel.run({ params: { runId } })}
        >
          {runWords.cancel}
        </Button>
      )}
    </>
  )
}

function RunParts({ run }: { run: RunDetail }) {
  const { error, agentRun, workflowRun } = run
  return (
    <>
      {error && <ErrorPanel title={error.code ?? runWords.error} message={error.message} />}
      <Card>
        <Facts
          facts={[
            { name: runWords.source, value: runWords.sources[run.source] },
            ...(run.startedBy?.name ? [{ name: runWords.by, value: run.startedBy.name }] : []),
            { name: runWords.started, value: <MomentText at={run.createdAt} /> },
            ...(run.durationMs === null
              ? []
              : [{ name: runWords.duration, value: duration(run.durationMs) }]),
            ...(run.versionNumber === null
              ? []
              : [{ name: runWords.version, value: wholeNumber(run.versionNumber) }]),
            {
              name: runWords.tokens,
              value: `${wholeNumber(run.inputTokens ?? 0)} + ${wholeNumber(run.outputTokens ?? 0)}`,
            },
            { name: runWords.cost, value: money(run.costUsd) },
            ...(run.sessionId === null
              ? []
              : [{ name: runWords.session, value: <code>{run.sessionId}</code> }]),
            ...(run.userId === null ? [] : [{ name: runWords.user, value: run.userId }]),
            ...(run.tag === null ? [] : [{ name: runWords.tag, value: run.tag }]),
          ]}
        />
        <CopyField label={runWords.id} text={run.runId} />
      </Card>
      {agentRun && <AgentTrace run={agentRun} />}
      {workflowRun && (
        <Section title={runWords.nodes}>
          <WorkflowTrace runId={run.runId} run={workflowRun} />
        </Section>
      )}
    </>
  )
}
