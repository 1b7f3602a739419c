import type { RunDetail } from '@troupe/contract/builder'
import { CodeBlock } from '../../atoms/code/code-field.tsx'
import { LinkButton, TextLink } from '../../atoms/controls/text-link.tsx'
import { Facts, Section } from '../../atoms/layout/page.tsx'
import { Markdown } from '../../atoms/markdown/markdown.tsx'
import { Status } from '../../atoms/states/badge.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { Callout, ErrorPanel } from '../../atoms/states/panels.tsx'
import { money, wholeNumber } from '../../core/format/numbers.ts'
import { duration } from '../../core/format/times.ts'
import { failureAdviceWords } from '../../core/messages/en/parts/failure-advice.ts'
import { runWords } from '../../core/messages/en/runs.ts'
import { hasPreview } from '../../core/runs/preview-of-call.ts'
import { tokensText } from '../../core/runs/tokens-text.ts'
import type { TraceStep } from '../../core/runs/trace-step.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { RebuiltAgentPrompt, RebuiltTeamPrompt } from './rebuilt-prompt.tsx'
import { SentPrompt } from './sent-prompt.tsx'

/** One step of a run: its reason, input and output. */
export function StepDetails({ run, step }: { run: RunDetail; step: TraceStep }) {
  const { state, why, error, call, tool, member, approval = null } = step
  return (
    <>
      <div>
        <Status state={state} look="badge" />
      </div>
      <Callout>{why}</Callout>
      {error !== null && state === 'failed' && <StepFailure error={error} call={call} />}
      {call && <CallFacts call={call} />}
      {approval && <ApprovalFacts approval={approval} />}
      {call && <CallPrompt run={run} call={call} />}
      {tool && (
        <>
          <Section title={runWords.arguments}>
            <CodeBlock
              label={runWords.textOf(runWords.arguments)}
              text={JSON.stringify(tool.arguments ?? null, null, 2)}
            />
          </Section>
          {tool.result !== null && (
            <Section title={runWords.toolResult}>
              <CodeBlock label={runWords.textOf(runWords.toolResult)} text={tool.result} isWrapped />
            </Section>
          )}
        </>
      )}
      {member?.input && (
        <Section title={runWords.task}>
          <CodeBlock label={runWords.textOf(runWords.task)} text={member.input} isWrapped />
        </Section>
      )}
      {member?.content && (
        <Section title={runWords.answer}>
          <Markdown text={member.content} />
        </Section>
      )}
    </>
  )
}

/** The prompt of a call; rebuilt if the run has not stored it, like older ones. */
function CallPrompt({ run, call }: { run: RunDetail; call: NonNullable<TraceStep['call']> }) {
  const { tracesInputs = true, tracesOutputs = true } = run.agentRun ?? {}
  if (!tracesInputs || !tracesOutputs) return null
  if (call.promptId !== null) {
    return <SentPrompt key={call.promptId} runId={run.runId} promptId={call.promptId} />
  }
  if (call.purpose === 'chat' && call.memberRunId === null && run.kind === 'agent') {
    return <RebuiltAgentPrompt run={run} call={call} />
  }
  return run.kind === 'team' && hasPreview(call) ? <RebuiltTeamPrompt run={run} call={call} /> : null
}

/** The approval of a call, with its decision and a link. */
function ApprovalFacts({ approval }: { approval: NonNullable<TraceStep['approval']> }) {
  const { paths } = usePlace()
  const { approvalId, by, reason, askedMs, resolvedMs, status } = approval
  const facts = [
    { name: runWords.asked, value: <MomentText at={askedMs / 1_000} /> },
    resolvedMs !== null && { name: runWords.decided, value: <MomentText at={resolvedMs / 1_000} /> },
    by !== null && { name: runWords.decidedBy, value: by.name },
    reason !== null && { name: runWords.said, value: reason },
    {
      name: runWords.approval,
      value: (
        <TextLink href={paths.approval(approvalId)}>
          {status === 'pending' ? runWords.decide : runWords.open}
        </TextLink>
      ),
    },
  ]
  return <Facts facts={facts.filter((fact) => fact !== false)} />
}

function StepFailure({ error, call }: { error: string; call: TraceStep['call'] }) {
  const { paths, may } = usePlace()
  if (call === null) return <ErrorPanel title={runWords.error} message={error} />
  const { modelId, llmConfigId, llmConfigName } = call
  return (
    <ErrorPanel
      title={failureAdviceWords.callFailed}
      message={`${failureAdviceWords.callReason(modelId, error)} ${failureAdviceWords.callAdvice}`}
      actions={
        llmConfigName !== null &&
        may('manage') && (
          <LinkButton size="small" href={paths.model(llmConfigId)}>
            {failureAdviceWords.toModel(llmConfigName)}
          </LinkButton>
        )
      }
    />
  )
}

function CallFacts({ call }: { call: NonNullable<TraceStep['call']> }) {
  const { modelId, llmConfigName, attempt, firstTokenMs, latencyMs, inputTokens, outputTokens } = call
  const { cachedTokens, cacheWriteTokens, reasoningTokens, costUsd, hasAllTokens, note } = call
  const facts = [
    { name: runWords.model, value: modelId },
    { name: runWords.configuration, value: llmConfigName ?? runWords.gone },
    attempt > 1 && { name: runWords.attempt, value: wholeNumber(attempt) },
    firstTokenMs !== null && { name: runWords.firstToken, value: duration(firstTokenMs) },
    { name: runWords.latency, value: duration(latencyMs) },
    { name: runWords.tokens, value: tokensText({ inputTokens, outputTokens, hasAllTokens }) },
    cachedTokens > 0 && { name: runWords.cached, value: wholeNumber(cachedTokens) },
    cacheWriteTokens > 0 && { name: runWords.cacheWrites, value: wholeNumber(cacheWriteTokens) },
    reasoningTokens > 0 && { name: runWords.reasoning, value: wholeNumber(reasoningTokens) },
    { name: runWords.cost, value: money(costUsd) },
    note !== null && { name: runWords.note, value: note },
  ]
  return <Facts facts={facts.filter((fact) => fact !== false)} />
}
