import type { IdText, WorkflowVersionId } from '@troupe/contract'
import type { BuilderWorkflow } from '@troupe/contract/builder'
import { readGraph } from '@troupe/editor/document/read-graph'
import { CalendarClock } from 'lucide-react'
import { LinkButton } from '../../../atoms/controls/text-link.tsx'
import { AskedPanel } from '../../../atoms/states/asked-panel.tsx'
import { Callout, Empty } from '../../../atoms/states/panels.tsx'
import { workflowPageWords } from '../../../core/messages/en/workflows/page.ts'
import { triggerWords as words } from '../../../core/messages/en/workflows/triggers.ts'
import { useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { ListenSection } from '../listeners/listen-section.tsx'
import { DeliveriesSection } from './deliveries-section.tsx'
import { FormSection } from './form-section.tsx'
import { ManualSection } from './manual-section.tsx'
import { SchedulesSection } from './schedules-section.tsx'
import styles from './triggers.module.css'
import { WebhookSection } from './webhook-section.tsx'

/** The triggers of the workflow: those of the published graph, with their URLs and recent calls. */
export function TriggersTab({ workflow }: { workflow: BuilderWorkflow }) {
  const { paths } = usePlace()
  const { workflowId, deployment } = workflow
  if (deployment === null) {
    return (
      <div className={styles.tab}>
        <Empty
          picture={<CalendarClock size={22} />}
          title={words.unpublishedTitle}
          actions={
            <LinkButton href={paths.workflow(workflowId, 'publish')}>{workflowPageWords.review}</LinkButton>
          }
        >
          {words.unpublished}
        </Empty>
        <DraftListeners workflow={workflow} />
      </div>
    )
  }
  return <PublishedTriggers workflow={workflow} versionId={deployment.versionId} />
}

interface PublishedTriggersProps {
  workflow: BuilderWorkflow
  versionId: IdText<WorkflowVersionId>
}

function PublishedTriggers({ workflow, versionId }: PublishedTriggersProps) {
  const { workflowId } = workflow
  const version = useOperation('getWorkflowVersion', { params: { workflowId, versionId } })
  return (
    <div className={styles.tab}>
      <AskedPanel asked={version} failed={words.failed} lines={8}>
        {({ graph }) => {
          const { nodes } = readGraph(graph)
          const ofType = (type: string) => nodes.filter((node) => node.type === type)
          const [http] = ofType('http-request')
          const isCalled = http !== undefined || ofType('manual-trigger').length > 0
          const recurrences = ofType('recurrence')
          return (
            <>
              {isOtherDraft(workflow, nodes) && <Callout>{words.draftDiffers}</Callout>}
              {recurrences.length > 0 && <SchedulesSection workflowId={workflowId} nodes={recurrences} />}
              {ofType('form-trigger').length > 0 && <FormSection workflowId={workflowId} />}
              <WebhookSection workflowId={workflowId} trigger={http ?? null} />
              {isCalled && <ManualSection workflowId={workflowId} nodes={nodes} />}
              <DraftListeners workflow={workflow} />
              <DeliveriesSection workflow={workflow} />
            </>
          )
        }}
      </AskedPanel>
    </div>
  )
}

/** The test addresses of the draft's triggers, whether it is published or not. */
function DraftListeners({ workflow }: { workflow: BuilderWorkflow }) {
  const { nodes } = readGraph(workflow.draft)
  return LISTENED.flatMap((type) => nodes.find((node) => node.type === type) ?? []).map((node) => (
    <ListenSection key={node.id} workflow={workflow} node={node} isNamed />
  ))
}

const LISTENED = ['http-request', 'form-trigger']

const TRIGGERS = new Set(['manual-trigger', 'http-request', 'form-trigger', 'recurrence'])

function isOtherDraft({ draft }: BuilderWorkflow, published: ReturnType<typeof readGraph>['nodes']): boolean {
  const triggersOf = (nodes: typeof published) =>
    JSON.stringify(nodes.filter(({ type }) => TRIGGERS.has(type)).map(({ id, config }) => [id, config]))
  return triggersOf(readGraph(draft).nodes) !== triggersOf(published)
}
