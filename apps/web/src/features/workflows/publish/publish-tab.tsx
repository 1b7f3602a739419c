import type { BuilderWorkflow, PublishPreview } from '@troupe/contract/builder'
import { readGraph } from '@troupe/editor/document/read-graph'
import { CircleCheck } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { LinkButton } from '../../../atoms/controls/text-link.tsx'
import { Card, Section } from '../../../atoms/layout/page.tsx'
import { AskedPanel } from '../../../atoms/states/asked-panel.tsx'
import { MomentText } from '../../../atoms/states/moment-text.tsx'
import { Callout } from '../../../atoms/states/panels.tsx'
import { workflowPageWords } from '../../../core/messages/en/workflows/page.ts'
import { publishWords as words } from '../../../core/messages/en/workflows/publish.ts'
import { withSearch } from '../../../core/url/paths.ts'
import { optionalParam } from '../../../core/url/search-params.ts'
import { graphOf } from '../../../core/workflows/graph-of-draft.ts'
import { useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../../infrastructure/queries/use-refusal.ts'
import { useSearchParams } from '../../../infrastructure/routing/place.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { DifferenceView } from '../difference/difference-view.tsx'
import { FindingList } from '../parts/finding-list.tsx'
import { UnpublishDialog } from '../parts/unpublish-dialog.tsx'
import styles from './publish.module.css'
import { PublishEffects } from './publish-effects.tsx'
import { PublishForm } from './publish-form.tsx'
import { UnsavedSteps } from './unsaved-steps.tsx'

const PARAMS = { tab: optionalParam, node: optionalParam }

/** The effects of publishing the draft, and the publish itself. */
export function PublishTab({ workflow }: { workflow: BuilderWorkflow }) {
  const { may } = usePlace()
  const refusal = useRefusal('build')
  const { workflowId } = workflow
  const preview = useOperation('previewPublish', { params: { workflowId } }, { isEnabled: may('build') })
  if (!may('build')) {
    return (
      <div className={styles.tab}>
        <Callout>{refusal}</Callout>
        <PublishedState workflow={workflow} />
      </div>
    )
  }
  return (
    <div className={styles.tab}>
      <AskedPanel asked={preview} failed={words.failed} lines={10}>
        {(data) => (
          <>
            <UnsavedSteps workflow={workflow} />
            <Preview workflow={workflow} preview={data} />
          </>
        )}
      </AskedPanel>
    </div>
  )
}

/** The published version, for users who may not publish: only others get the preview. */
function PublishedState({ workflow }: { workflow: BuilderWorkflow }) {
  const { paths } = usePlace()
  const { workflowId, publishedNumber, isDraftPublished } = workflow
  // Shown in the header of the page.
  if (publishedNumber === null) return null
  if (isDraftPublished) return <LiveCard workflow={workflow} title={words.upToDate} />
  const compare = withSearch(paths.workflow(workflowId, 'versions'), { compare: `${publishedNumber}..draft` })
  return (
    <LiveCard
      workflow={workflow}
      title={words.live(publishedNumber)}
      detail={words.liveDetail}
      actions={<LinkButton href={compare}>{words.compare}</LinkButton>}
    />
  )
}

interface LiveCardProps {
  workflow: BuilderWorkflow
  title: string
  detail?: string
  actions?: ReactNode
}

/** The version that callers run, and when it was published. */
function LiveCard({ workflow: { publishedNumber, deployment }, title, detail, actions }: LiveCardProps) {
  return (
    <Card>
      <div className={styles.live}>
        <CircleCheck size={20} aria-hidden="true" />
        <div>
          {/* Focused after a publish. */}
          <h2 tabIndex={-1}>{title}</h2>
          {publishedNumber !== null && deployment !== null && (
            <p>
              {words.published(publishedNumber)} <MomentText at={deployment.publishedAt} />. {detail}
            </p>
          )}
        </div>
        {actions}
      </div>
    </Card>
  )
}

function Preview({ workflow, preview }: { workflow: BuilderWorkflow; preview: PublishPreview }) {
  const [, setParams] = useSearchParams(PARAMS)
  const [isAsking, setAsking] = useState(false)
  const { difference, findings, publishedGraph } = preview
  const draft = graphOf(workflow.draft)
  const published = useMemo(() => readGraph(publishedGraph), [publishedGraph])
  const { nodes } = draft
  const names = new Map([...published.nodes, ...nodes].map(({ id, name }) => [id, name]))
  const choose = (node: string) => setParams({ tab: null, node }, { push: true })
  if (workflow.isDraftPublished) {
    return (
      <>
        <LiveCard
          workflow={workflow}
          title={words.upToDate}
          detail={words.upToDateDetail}
          actions={<Button onPress={() => setAsking(true)}>{workflowPageWords.unpublish}</Button>}
        />
        {findings.length > 0 && (
          <Section title={words.findings}>
            <Card>
              <FindingList findings={findings} nodes={nodes} onChoose={choose} />
            </Card>
          </Section>
        )}
        <PublishEffects preview={preview} draft={workflow.draft} names={names} isLive />
        {isAsking && <UnpublishDialog workflow={workflow} onClose={() => setAsking(false)} />}
      </>
    )
  }
  return (
    <div className={styles.columns}>
      <div className={styles.main}>
        <Section title={words.findings}>
          <Card>
            {findings.length === 0 ? (
              <p className={styles.none}>
                <CircleCheck size={15} aria-hidden="true" />
                {words.noFindings}
              </p>
            ) : (
              <FindingList findings={findings} nodes={nodes} onChoose={choose} />
            )}
          </Card>
        </Section>
        <Section title={words.changes}>
          {difference === null ? (
            <Callout tone="info">
              <b>{words.first}</b> {words.firstDetail}
            </Callout>
          ) : (
            <Card>
              <DifferenceView
                workflowId={workflow.workflowId}
                difference={difference}
                before={published}
                after={draft}
              />
            </Card>
          )}
        </Section>
        <PublishEffects preview={preview} draft={workflow.draft} names={names} />
      </div>
      <PublishForm key={workflow.workflowId} workflow={workflow} preview={preview} nodes={nodes} />
    </div>
  )
}
