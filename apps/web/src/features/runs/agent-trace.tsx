import type { AgentRunDetail, RunDetail } from '@troupe/contract/builder'
import { Section } from '../../atoms/layout/page.tsx'
import { Markdown } from '../../atoms/markdown/markdown.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { LongText } from '../../atoms/text/long-text.tsx'
import { runWords } from '../../core/messages/en/runs.ts'
import { AgentFindings } from './agent-findings.tsx'
import { RunPlanTasks } from './run-plan-tasks.tsx'
import styles from './runs.module.css'
import { StepList } from './step-list.tsx'

/** The trace of an agent or a team: every step, and the question, the answer and the plan of the run. */
export function AgentTrace({ run, agentRun }: { run: RunDetail; agentRun: AgentRunDetail }) {
  const { storesMessages, tracesInputs, tracesOutputs } = agentRun
  const isShown = tracesInputs && tracesOutputs
  return (
    <>
      {!storesMessages && <Callout>{runWords.notKept}</Callout>}
      {!isShown && <Callout>{runWords.notShown}</Callout>}
      <StepList run={run} root={<WholeRun agentRun={agentRun} />} />
    </>
  )
}

function WholeRun({ agentRun }: { agentRun: AgentRunDetail }) {
  const { input, content, plan } = agentRun
  return (
    <>
      {input !== null && (
        <Section title={runWords.input}>
          <p className={styles.said}>
            <LongText text={input} />
          </p>
        </Section>
      )}
      {content !== null && (
        <Section title={runWords.answer}>
          {content === '' ? <p>{runWords.emptyAnswer}</p> : <Markdown text={content} />}
        </Section>
      )}
      {plan && <RunPlanTasks plan={plan} />}
      <AgentFindings agentRun={agentRun} />
    </>
  )
}
