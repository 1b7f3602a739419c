import type { ListedRun, RunDetail } from '@troupe/contract/builder'
import { CopiedId } from '../../atoms/controls/copied-id.tsx'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { FactStrip } from '../../atoms/layout/fact-strip.tsx'
import { type Fact, Facts } from '../../atoms/layout/page.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { money, wholeNumber } from '../../core/format/numbers.ts'
import { shortId } from '../../core/format/short-id.ts'
import { duration } from '../../core/format/times.ts'
import { startedByText } from '../../core/labels/started-by-text.ts'
import { runWords } from '../../core/messages/en/runs.ts'
import { budgetOfPause } from '../../core/runs/budget-pause.ts'
import { awaited } from '../../core/runs/run-state.ts'
import { tokensOfRun, tokensText } from '../../core/runs/tokens-text.ts'
import { withSearch } from '../../core/url/paths.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

/** The facts of a run in one strip, and its id to copy. */
export function RunSummary({ run }: { run: RunDetail }) {
  return (
    <FactStrip
      facts={[
        ...useFacts(run),
        { name: runWords.id, value: <CopiedId id={run.runId} label={runWords.copyId} /> },
      ]}
    />
  )
}

/** The time, caller, cost and project of a run. */
export function FactsOfRun({ run }: { run: ListedRun | RunDetail }) {
  return <Facts facts={useFacts(run)} />
}

function useFacts(run: ListedRun | RunDetail): Fact[] {
  const { paths } = usePlace()
  const { tag, userId, sessionId, sessionRowId, workflowRunId, statusReason, startedBy } = run
  const tokens = tokensOfRun(run)
  const facts = [
    { name: runWords.started, value: <MomentText at={run.createdAt} /> },
    run.durationMs !== null && { name: runWords.duration, value: duration(run.durationMs) },
    statusReason !== null &&
      budgetOfPause(statusReason) === null && { name: runWords.reason, value: awaited(statusReason) },
    {
      name: runWords.source,
      value:
        startedBy?.kind === 'run' && startedBy.name !== null ? (
          <TextLink href={paths.run(startedBy.id)}>{startedByText(run)}</TextLink>
        ) : (
          startedByText(run)
        ),
    },
    run.versionNumber !== null && { name: runWords.version, value: wholeNumber(run.versionNumber) },
    tokens !== null && { name: runWords.tokens, value: tokensText(tokens) },
    { name: runWords.cost, value: money(run.costUsd) },
    sessionId !== null && {
      name: runWords.session,
      value:
        sessionRowId === null ? (
          shortId(sessionId)
        ) : (
          <TextLink href={paths.session(sessionRowId)}>{shortId(sessionId)}</TextLink>
        ),
    },
    userId !== null &&
      userId !== '' && {
        name: runWords.user,
        value: <TextLink href={withSearch(paths.runs, { user: userId })}>{shortId(userId)}</TextLink>,
      },
    tag !== null && {
      name: runWords.tag,
      value: <TextLink href={withSearch(paths.runs, { tag })}>{tag}</TextLink>,
    },
    workflowRunId !== null && {
      name: runWords.sources.workflow,
      value: <TextLink href={paths.run(workflowRunId)}>{runWords.parentRun}</TextLink>,
    },
  ]
  return facts.filter((fact) => fact !== false)
}
