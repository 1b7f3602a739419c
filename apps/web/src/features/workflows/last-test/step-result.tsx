import type { BuilderWorkflow } from '@troupe/contract/builder'
import type { Graph, GraphNode } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { CodeBlock } from '../../../atoms/code/code-field.tsx'
import { Section } from '../../../atoms/layout/page.tsx'
import { RefusableButton } from '../../../atoms/overlays/refusable-button.tsx'
import { AskedPanel } from '../../../atoms/states/asked-panel.tsx'
import { Callout } from '../../../atoms/states/panels.tsx'
import { runWords } from '../../../core/messages/en/runs.ts'
import { lastTestWords as words } from '../../../core/messages/en/workflows/last-test.ts'
import { asJson } from '../../../core/workflows/node-settings.ts'
import { useRefusal } from '../../../infrastructure/queries/use-refusal.ts'
import { useRunNode } from '../../../parts/run-node/use-run-node.ts'
import { PinOfRun } from '../pins/pin-of-run.tsx'
import { PinDialog } from '../pins/step-pin.tsx'
import { useLastTest } from './last-test-context.tsx'

/** Maximum characters of an editable output; longer ones may have been truncated by the server, so they are pinned unchanged. */
const MOST_EDITED_CHARACTERS = 50_000

export interface StepResultProps {
  workflow: BuilderWorkflow
  graph: Graph
  node: GraphNode
}

/** The output of a draft's step in the last test: to read, to pin, or to edit as a pin. */
export function StepResult({ workflow, graph, node }: StepResultProps) {
  const { workflowId } = workflow
  const test = useLastTest(workflowId, graph)
  const step = test?.steps.get(node.id)
  const path = step?.state.status === 'completed' && !test?.run.workflowRun?.traceErased ? step.path : null
  const values = useRunNode(test?.run.runId ?? '', {
    nodeId: path === null ? null : node.id,
    path: path ?? '',
  })
  const refusal = useRefusal('build')
  const [isEditing, setEditing] = useState(false)
  const role = NODE_TYPES.get(node.type)?.role
  if (test === null || path === null || role === 'note') return null
  return (
    <Section title={words.title}>
      {test.older.has(node.id) && <Callout tone="warn">{words.olderDetail}</Callout>}
      <AskedPanel asked={values} failed={runWords.runFailed}>
        {({ output }) => {
          const text = asJson(output ?? null)
          const isShort = text.length <= MOST_EDITED_CHARACTERS
          return (
            <>
              <CodeBlock label={words.value} text={text} />
              {role !== 'trigger' && (
                <>
                  <PinOfRun
                    {...{ workflowId, path }}
                    runId={test.run.runId}
                    nodeId={node.id}
                    name={node.name}
                  />
                  {isShort ? (
                    <div>
                      <RefusableButton
                        size="small"
                        icon={<Pencil size={14} />}
                        refusal={refusal}
                        onPress={() => setEditing(true)}
                      >
                        {words.editAsPin}
                      </RefusableButton>
                    </div>
                  ) : (
                    <p>{words.tooLargeToEdit}</p>
                  )}
                </>
              )}
            </>
          )
        }}
      </AskedPanel>
      {isEditing && values.data && (
        <PinDialog
          {...{ workflow, node }}
          start={{ output: values.data.output }}
          onClose={() => setEditing(false)}
        />
      )}
    </Section>
  )
}
