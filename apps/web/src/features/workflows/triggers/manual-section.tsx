import type { IdText, WorkflowId } from '@troupe/contract'
import type { GraphNode } from '@troupe/graph'
import { apiSample } from '@troupe/nodes/api-sample'
import { withSamples } from '@troupe/nodes/sample-payload'
import { CodeBlock } from '../../../atoms/code/code-field.tsx'
import { Section } from '../../../atoms/layout/page.tsx'
import { triggerWords } from '../../../core/messages/en/workflows/triggers.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { useSamples } from '../../../parts/trigger-samples/use-samples.ts'

const words = triggerWords.manual

export interface ManualSectionProps {
  workflowId: IdText<WorkflowId>
  /** The nodes of the published graph. */
  nodes: readonly GraphNode[]
}

/** The API call that starts the workflow. */
export function ManualSection({ workflowId, nodes }: ManualSectionProps) {
  const { publicUrl } = usePlace().session.server
  const input = JSON.stringify({ input: apiSample(withSamples(nodes, useSamples(workflowId))) })
  const command = [
    `curl -sS -X POST ${publicUrl}/api/v1/workflows/${workflowId}/run \\`,
    `  -H "X-API-Key: $TROUPE_API_KEY" -H 'Content-Type: application/json' \\`,
    `  -d ${shellQuote(input)}`,
  ].join('\n')
  return (
    <Section title={words.title} detail={words.detail}>
      <CodeBlock label={words.snippet} text={command} />
    </Section>
  )
}

/** Quotes any text for a POSIX shell. */
function shellQuote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
