import { isJsonObject } from '@troupe/contract'
import type { GraphNode } from '@troupe/graph'
import { callInput } from '@troupe/nodes/call-input'
import { samplePayload } from '@troupe/nodes/sample-payload'
import { CodeBlock } from '../../../atoms/code/code-field.tsx'
import { Section } from '../../../atoms/layout/page.tsx'
import { triggerWords } from '../../../core/messages/en/workflows/triggers.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'

const words = triggerWords.manual

export interface ManualSectionProps {
  workflowId: string
  /** Of the published graph. */
  nodes: readonly GraphNode[]
  /** Of which the sample is sent. */
  trigger: GraphNode
}

/** The call of the API that starts the workflow. */
export function ManualSection({ workflowId, nodes, trigger }: ManualSectionProps) {
  const { publicUrl } = usePlace().session.server
  const sample = samplePayload(trigger)
  const isCall = trigger.type === 'http-request' && isJsonObject(sample)
  const input = JSON.stringify({ input: isCall ? callInput(nodes, sample) : sample })
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
