import type { RunDetail, TracedNode } from '@troupe/contract/builder'
import { Suspense, useEffect, useState } from 'react'
import { CodeBlock } from '../../atoms/code/code-field.tsx'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { PageLayout } from '../../atoms/layout/page.tsx'
import { TabBar } from '../../atoms/layout/tab-bar.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Badge, Status } from '../../atoms/states/badge.tsx'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { GonePanel } from '../../atoms/states/gone-panel.tsx'
import { KindTile } from '../../atoms/states/kind-tile.tsx'
import { ErrorPanel, Skeleton } from '../../atoms/states/panels.tsx'
import { duration } from '../../core/format/times.ts'
import { failureAdviceWords } from '../../core/messages/en/parts/failure-advice.ts'
import { runWords } from '../../core/messages/en/runs.ts'
import { testWords } from '../../core/messages/en/workflows/testing.ts'
import { isEnded, shownStatus, stateOfRun } from '../../core/runs/run-state.ts'
import { withSearch } from '../../core/url/paths.ts'
import { choiceParam, optionalParam, textParam } from '../../core/url/search-params.ts'
import { usePathParam, useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { SettingsOfFailure } from '../../parts/failures/settings-of-failure.tsx'
import { SearchAction } from '../../parts/gone/search-action.tsx'
import { useRunNode } from '../../parts/run-node/use-run-node.ts'
import { useWatchedRun } from '../../parts/run-node/use-watched-run.ts'
import { AgentTrace } from './agent-trace.tsx'
import { BudgetNote } from './budget-note.tsx'
import { RunActions } from './run-actions.tsx'
import { RunSummary } from './run-summary.tsx'

/** A run has one kind of trace, and those of agents and teams are read most. */
const WorkflowTrace = lazyPart(async () => (await import('./workflow-trace.tsx')).WorkflowTrace)
// It loads the types of steps, which a successful run does not need.
const FailureExplained = lazyPart(
  async () => (await import('../../parts/run-node/failure-explained.tsx')).FailureExplained,
)
const LiveRunPanel = lazyPart(async () => (await import('./live-run.tsx')).LiveRunPanel)
const RunDecisions = lazyPart(async () => (await import('./run-decisions.tsx')).RunDecisions)
const RunMessages = lazyPart(async () => (await import('./run-messages.tsx')).RunMessages)
const TABS = ['run', 'messages', 'json'] as const
const PARAMS = { tab: choiceParam(TABS, 'run') }
const NODE = { node: optionalParam, path: textParam }

/** One run: its outcome, time and cost, and every step with its reason. */
export function RunPage() {
  const { paths } = usePlace()
  const runId = usePathParam('runId')
  const [failure, setFailure] = useState<{ title: string; failure: Failure } | null>(null)
  const run = useWatchedRun(runId)
  const status = run.data?.status
  const isGone = run.failure?.code === 'run_not_found'
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the status outdates the failure
  useEffect(() => setFailure(null), [status])
  const [{ node, path }] = useSearchParams(NODE)
  // Loaded in parallel with the run: a link to a node shows its values as soon as possible.
  useRunNode(runId, { nodeId: node, path })
  return (
    <PageLayout
      title={isGone ? runWords.goneTitle : run.data ? nameOf(run.data) : runWords.one}
      {...(run.data && { windowTitle: verdict(run.data) })}
      isBare={isGone}
      crumbs={[{ label: runWords.title, href: paths.runs }]}
      {...(run.data
        ? {
            lead: <KindTile kind={run.data.kind} />,
            mark: (
              <>
                <Status state={stateOfRun(shownStatus(run.data))} look="badge">
                  {runWords.statuses[shownStatus(run.data)]}
                </Status>
                {run.data.isTest && (
                  <Badge>{run.data.kind === 'workflow' ? testWords.isTest : runWords.trial}</Badge>
                )}
              </>
            ),
            detail: <EntityLinks run={run.data} />,
            actions: (
              <RunActions
                run={run.data}
                onFailure={(title, found) => setFailure({ title, failure: found })}
              />
            ),
          }
        : {})}
    >
      <FailurePanel title={failure?.title ?? ''} failure={failure?.failure ?? null} />
      {isGone ? (
        <GonePanel
          search={<SearchAction />}
          title={runWords.goneTitle}
          detail={runWords.goneDetail}
          href={paths.runs}
          label={runWords.allRuns}
        />
      ) : (
        <AskedPanel asked={run} failed={runWords.runFailed} lines={10}>
          {(data) => <RunParts run={data} />}
        </AskedPanel>
      )}
    </PageLayout>
  )
}

type Failure = Parameters<typeof FailurePanel>[0]['failure']

const nameOf = ({ kind, entity }: RunDetail) => entity.name ?? runWords.kind[kind]

function verdict(run: RunDetail): string {
  const { durationMs } = run
  const took = durationMs === null ? null : duration(durationMs)
  return runWords.verdict(nameOf(run), runWords.statuses[shownStatus(run)], took)
}

/** The agent, team or workflow of a run, and its other runs. */
function EntityLinks({ run: { kind, entity, runId, versionNumber, isTest } }: { run: RunDetail }) {
  const { paths } = usePlace()
  // A deleted workflow has no name, and no page with a map.
  const isOnMap = kind === 'workflow' && entity.name !== null && (versionNumber !== null || isTest)
  const entityPath = { agent: paths.agent, team: paths.team, workflow: paths.workflow }[kind]
  return (
    <>
      {runWords.kind[kind]} <TextLink href={entityPath(entity.id)}>{entity.name ?? runWords.gone}</TextLink>
      {' · '}
      <TextLink href={withSearch(paths.runs, { entity: entity.id })}>{runWords.sameEntity}</TextLink>
      {isOnMap && (
        <>
          {' · '}
          <TextLink href={withSearch(paths.workflow(entity.id), { view: 'map', run: runId })}>
            {runWords.showOnMap}
          </TextLink>
        </>
      )}
    </>
  )
}

function RunParts({ run }: { run: RunDetail }) {
  const [{ tab }, setParams] = useSearchParams(PARAMS)
  const tabs = TABS.filter((id) => id !== 'messages' || run.agentRun !== null)
  return (
    <TabBar
      label={runWords.parts}
      tabs={tabs.map((id) => ({ id, label: runWords.tabs[id] }))}
      value={tabs.includes(tab) ? tab : 'run'}
      onChange={(next) => setParams({ tab: next })}
    >
      {tab === 'json' ? (
        <CodeBlock label={runWords.json} text={JSON.stringify(run, null, 2)} />
      ) : tab === 'messages' && run.agentRun ? (
        <Suspense>
          <RunMessages run={run.agentRun} />
        </Suspense>
      ) : (
        <RunOverview run={run} />
      )}
    </TabBar>
  )
}

interface RunFailureProps {
  run: RunDetail
  error: NonNullable<RunDetail['error']>
}

/** The reason of a failed run, with its repair where one step of a workflow failed. */
function RunFailure({ run, error: { code, message } }: RunFailureProps) {
  const advice = code === null ? null : failureAdviceWords.advice(code)
  const [{ node: open }] = useSearchParams(NODE)
  const failed = advice === null ? failedStep(run) : null
  // The details of the open step already offer the repair.
  const node = failed?.nodeId === open ? null : failed
  const panel = (
    <ErrorPanel
      title={failureAdviceWords.failed}
      message={[message, advice].filter(Boolean).join(' ')}
      actions={code !== null && <SettingsOfFailure code={code} />}
    />
  )
  if (node === null) return panel
  return (
    <Suspense fallback={panel}>
      <FailureExplained {...{ run, node }} error={message} title={failureAdviceWords.failed} />
    </Suspense>
  )
}

/** The step whose failure failed the run: of failed Loops the step inside. */
function failedStep({ workflowRun }: RunDetail): TracedNode | null {
  const failed = (workflowRun?.nodes ?? []).filter(({ status }) => status === 'failed')
  const depthOf = ({ path }: TracedNode) => path.split('/').length + (path === '' ? 0 : 1)
  return failed.toSorted((one, other) => depthOf(other) - depthOf(one))[0] ?? null
}

function RunOverview({ run }: { run: RunDetail }) {
  const { error, agentRun, workflowRun, status, source } = run
  const isShown = agentRun?.tracesInputs && agentRun.tracesOutputs
  const isLive = isShown && !isEnded(status) && source !== 'api_sync'
  return (
    <>
      {error && <RunFailure run={run} error={error} />}
      <BudgetNote run={run} />
      <Suspense>
        <RunDecisions run={run} />
      </Suspense>
      <RunSummary run={run} />
      {isLive && (
        <Suspense>
          <LiveRunPanel key={run.runId} runId={run.runId} />
        </Suspense>
      )}
      {agentRun && <AgentTrace run={run} agentRun={agentRun} />}
      {workflowRun && (
        <Suspense fallback={<Skeleton lines={6} />}>
          <WorkflowTrace run={run} workflowRun={workflowRun} />
        </Suspense>
      )}
    </>
  )
}
