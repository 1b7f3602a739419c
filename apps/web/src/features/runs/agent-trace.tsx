import type { AgentRunDetail, RunDetail } from '@troupe/builder-contract'
import { Card, Section } from '../../atoms/layout/page.tsx'
import { Markdown } from '../../atoms/markdown/markdown.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { LongText } from '../../atoms/text/long-text.tsx'
import { runWords } from '../../core/messages/en/runs.ts'
import { AgentFindings } from './agent-findings.tsx'
import { RunPlanTasks } from './run-plan-tasks.tsx'
import styles from './runs.module.css'
import { StepList } from './step-list.tsx'

/** What an agent or a team did: question, answer, plan, and every step. */
export function AgentTrace({ run, agentRun }: { run: RunDetail; agentRun: AgentRunDetail }) {
  const { input, content, storesMessages, tracesInputs, tracesOutputs, plan } = agentRun
  const isShown = tracesInputs && tracesOutputs
  return (
    <>
      {!storesMessages && <Callout>{runWords.notKept}</Callout>}
      {!isShown && <Callout>{runWords.notShown}</Callout>}
      {input !== null && (
        <Section title={runWords.input}>
          <Card>
            <p className={styles.text}>
              <LongText text={input} />
            </p>
          </Card>
        </Section>
      )}
      {content !== null && (
        <Section title={runWords.answer}>
          <Card>
            <Markdown text={content} />
          </Card>
        </Section>
      )}
      {plan && <RunPlanTasks plan={plan} />}
      <AgentFindings agentRun={agentRun} />
      <StepList run={run} />
    </>
  )
}
