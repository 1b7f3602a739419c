import type { AgentRunDetail } from '@troupe/contract/builder'
import { Card, RowList, Section } from '../../atoms/layout/page.tsx'
import { Badge } from '../../atoms/states/badge.tsx'
import {
  guardrailActionLabel,
  guardrailKindLabel,
  guardrailReason,
} from '../../core/labels/guardrail-flag.ts'
import { guardrailWords } from '../../core/messages/en/agents/guardrails.ts'
import { runWords } from '../../core/messages/en/runs.ts'

/** The sources of an answer, and the findings of the guardrails. */
export function AgentFindings({ agentRun: { citations, flags } }: { agentRun: AgentRunDetail }) {
  return (
    <>
      {citations.length > 0 && (
        <Section title={runWords.citations}>
          <Card flush>
            <RowList
              label={runWords.citations}
              rows={citations.map(({ n, documentName, page, quote }) => ({
                id: String(n),
                title: runWords.citation(n, documentName, page),
                detail: quote,
              }))}
            />
          </Card>
        </Section>
      )}
      {flags.length > 0 && (
        <Section title={runWords.flags}>
          <Card flush>
            <RowList
              label={runWords.flags}
              rows={flags.map(({ stage, type, action, reason }, index) => ({
                id: String(index),
                title: runWords.flagged(guardrailKindLabel(type), guardrailWords.stages[stage]),
                detail: guardrailReason({ type, reason }),
                end: <Badge tone={action === 'block' ? 'bad' : 'warn'}>{guardrailActionLabel(action)}</Badge>,
              }))}
            />
          </Card>
        </Section>
      )}
    </>
  )
}
