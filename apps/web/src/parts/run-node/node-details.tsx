import type { RunDetail, TracedNode } from '@troupe/contract/builder'
import { Suspense, useEffect } from 'react'
import { CodeBlock } from '../../atoms/code/code-field.tsx'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { Facts, Section } from '../../atoms/layout/page.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Status } from '../../atoms/states/badge.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { Callout, ErrorPanel } from '../../atoms/states/panels.tsx'
import { wholeNumber } from '../../core/format/numbers.ts'
import { duration } from '../../core/format/times.ts'
import { runWords } from '../../core/messages/en/runs.ts'
import { HANDLE_WORDS } from '../../core/messages/en/workflows/handle-words.ts'
import { testWords } from '../../core/messages/en/workflows/testing.ts'
import { stateOfRun } from '../../core/runs/run-state.ts'
import { withSearch } from '../../core/url/paths.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { ReviewVotes } from '../review-votes/review-votes.tsx'
import { useRunNode } from './use-run-node.ts'

// It loads the types of steps, which a successful run does not need.
const FailureExplained = lazyPart(async () => (await import('./failure-explained.tsx')).FailureExplained)

/** One node of a workflow's run: its attempts, input and output. */
export function NodeDetails({ run, node }: { run: RunDetail; node: TracedNode }) {
  const { runId, entity, workflowRun } = run
  const { paths } = usePlace()
  const {
    nodeId,
    path,
    error,
    note,
    status,
    attempts,
    startedMs,
    completedMs,
    retryMs,
    handles,
    agentRunId,
  } = node
  const review = workflowRun?.reviews.find((one) => one.nodeId === nodeId && one.path === path)
  const isErased = workflowRun?.traceErased ?? false
  const values = useRunNode(runId, { nodeId, path })
  const isStale =
    values.data !== undefined && (values.data.status !== status || values.data.attempts !== attempts)
  const { retry } = values
  // biome-ignore lint/correctness/useExhaustiveDependencies: retries once per state of the node; the two responses may continue to differ
  useEffect(() => {
    if (isStale) retry()
  }, [isStale, status, attempts])
  const facts = [
    path !== '' && { name: runWords.place, value: <code translate="no">{path}</code> },
    { name: runWords.attempts, value: wholeNumber(attempts) },
    startedMs !== null &&
      completedMs !== null && { name: runWords.duration, value: duration(completedMs - startedMs) },
    retryMs !== null && { name: runWords.retryAt, value: <MomentText at={retryMs / 1_000} /> },
    handles !== null &&
      handles.length > 0 && {
        name: runWords.taken,
        value: handles.map((handle) => HANDLE_WORDS[handle] ?? handle).join(', '),
      },
    // A deleted workflow has no name, and no draft to repair.
    entity.name !== null && {
      name: runWords.draft,
      value: (
        <TextLink href={withSearch(paths.workflow(entity.id), { node: nodeId })}>
          {runWords.openStep}
        </TextLink>
      ),
    },
    review !== undefined && {
      name: runWords.review,
      value: <TextLink href={paths.review(review.reviewId)}>{review.title}</TextLink>,
    },
    agentRunId !== null && {
      name: runWords.agentRun,
      value: <TextLink href={paths.run(agentRunId)}>{runWords.open}</TextLink>,
    },
  ]
  return (
    <>
      <div>
        <Status state={stateOfRun(status)} look="badge" />
      </div>
      {error !== null && (
        <Suspense fallback={<ErrorPanel title={runWords.error} message={error} />}>
          <FailureExplained {...{ run, node, error }} />
        </Suspense>
      )}
      {node.seeded !== null && <Seeded from={node.seeded.fromRunId} />}
      {note != null && <Callout tone="warn">{note}</Callout>}
      <Facts facts={facts.filter((fact) => fact !== false)} />
      {review !== undefined && review.votes.length > 0 && (
        <Section title={runWords.decisions}>
          <ReviewVotes votes={review.votes} />
        </Section>
      )}
      <AskedPanel asked={values} failed={runWords.runFailed}>
        {({ input, output }) => (
          <>
            <NodeValue
              title={runWords.input}
              value={input}
              absent={isErased ? runWords.erased : noInputOf(status)}
            />
            <NodeValue
              title={runWords.output}
              value={output}
              absent={isErased ? runWords.erased : noOutputOf(status)}
            />
          </>
        )}
      </AskedPanel>
    </>
  )
}

/** A node's input or output; `absent` is the reason if there is none, null: none is a separate value. */
function NodeValue({ title, value, absent }: { title: string; value: unknown; absent: string | null }) {
  const isAbsent = absent !== null && (value === null || value === undefined)
  return (
    <Section title={title}>
      {isAbsent ? (
        <p>{absent}</p>
      ) : (
        <CodeBlock label={runWords.textOf(title)} text={JSON.stringify(value ?? null, null, 2)} />
      )}
    </Section>
  )
}

function noInputOf(status: TracedNode['status']): string {
  const { failed, completed, open } = runWords.noInput
  return status === 'failed' ? failed : status === 'completed' ? completed : open
}

/** A completed node may return null. */
function noOutputOf(status: TracedNode['status']): string | null {
  const { failed, open } = runWords.noOutput
  if (status === 'completed') return null
  return status === 'failed' ? failed : open
}

/** The source of a result whose step was not executed in this test. */
function Seeded({ from }: { from: string | null }) {
  const { paths } = usePlace()
  return (
    <Callout>
      {testWords.seededDetail}{' '}
      {from !== null && (
        <>
          {testWords.seededFrom} <TextLink href={paths.run(from)}>{testWords.openSource}</TextLink>
        </>
      )}
    </Callout>
  )
}
