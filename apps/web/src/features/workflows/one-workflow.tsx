import type { IdText, WorkflowId } from '@troupe/contract'
import type { BuilderWorkflow } from '@troupe/contract/builder'
import { memo, type ReactNode, Suspense, useDeferredValue, useMemo } from 'react'
import { PageLayout } from '../../atoms/layout/page.tsx'
import { TabBar } from '../../atoms/layout/tab-bar.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { DraftMark, LiveMark } from '../../atoms/states/badge.tsx'
import { Avatar, Skeleton } from '../../atoms/states/panels.tsx'
import { serverNow } from '../../core/format/server-clock.ts'
import { relativeTime } from '../../core/format/times.ts'
import { authorName } from '../../core/labels/author-name.ts'
import { workflowPageWords as words } from '../../core/messages/en/workflows/page.ts'
import { workflowWords } from '../../core/messages/en/workflows/workflows.ts'
import { choiceParam } from '../../core/url/search-params.ts'
import { graphOf } from '../../core/workflows/graph-of-draft.ts'
import { NAMES_USES } from '../../infrastructure/queries/names-uses.ts'
import { useChange, useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { useEditedWorkflow } from './editing/use-draft-session.ts'
import { GoneWorkflow } from './gone-workflow.tsx'
import { PresenceProvider } from './presence/presence-context.tsx'
import { PeopleHere } from './presence/presence-marks.tsx'
import { useWorkflowNews } from './use-workflow-news.ts'
import { WorkflowActions } from './workflow-actions.tsx'

const EditorTab = lazyPart(async () => (await import('./outline/editor-tab.tsx')).EditorTab)
const TriggersTab = lazyPart(async () => (await import('./triggers/triggers-tab.tsx')).TriggersTab)
const TestsTab = lazyPart(async () => (await import('./test-cases/tests-tab.tsx')).TestsTab)
const PublishTab = lazyPart(async () => (await import('./publish/publish-tab.tsx')).PublishTab)
const VersionsTab = lazyPart(async () => (await import('./versions/versions-tab.tsx')).VersionsTab)
const RunsTab = lazyPart(async () => (await import('./runs/runs-tab.tsx')).RunsTab)

const TABS = ['editor', 'triggers', 'tests', 'versions', 'runs', 'publish'] as const
type WorkflowTab = (typeof TABS)[number]
const PARAMS = { tab: choiceParam(TABS, 'editor') }

/** A workflow with the changes of this tab. Loaded with the core that edits drafts, after the first parts of the page. */
export function OneWorkflow({ workflowId }: { workflowId: IdText<WorkflowId> }) {
  const { paths } = usePlace()
  const workflow = useOperation('getWorkflow', { params: { workflowId } })
  const undeletion = useChange('undeleteWorkflow', {
    refreshes: ['getWorkflow', 'listWorkflows', ...NAMES_USES],
  })
  const edited = useEditedWorkflow(workflow.data, workflow.knownAt !== null)
  useWorkflowNews(workflowId, edited.session)
  // Typing is visible in its field immediately; a large draft follows.
  const shown = useDeferredValue(edited.workflow)
  const head = useMemo(() => shown && headOf(shown), [shown])
  const crumbs = [{ label: workflowWords.title, href: paths.workflows }]
  if (workflow.failure?.code === 'workflow_not_found') {
    return (
      <PageLayout title={words.goneTitle} isBare crumbs={crumbs}>
        <GoneWorkflow workflowId={workflowId} undeletion={undeletion} />
      </PageLayout>
    )
  }
  return (
    <PresenceProvider workflowId={workflowId}>
      <PageLayout title={shown?.name ?? words.loading} crumbs={crumbs} {...head}>
        <AskedPanel asked={workflow} failed={words.failed} lines={10}>
          {(data) => <WorkflowTabs workflow={shown ?? data} />}
        </AskedPanel>
      </PageLayout>
    </PresenceProvider>
  )
}

function headOf(workflow: BuilderWorkflow) {
  return {
    lead: <Avatar id={workflow.workflowId} name={workflow.name} shape="square" />,
    mark: <StateMarks workflow={workflow} />,
    detail: <StateWords workflow={workflow} />,
    actions: <WorkflowActions workflow={workflow} />,
  }
}

function StateMarks({ workflow }: { workflow: BuilderWorkflow }) {
  const { publishedNumber, isDraftPublished } = workflow
  const { nodes } = graphOf(workflow.draft)
  return (
    <>
      {publishedNumber === null ? <DraftMark /> : <LiveMark version={publishedNumber} />}
      {publishedNumber !== null && !isDraftPublished && <DraftMark>{words.changes}</DraftMark>}
      <PeopleHere nodes={nodes} />
    </>
  )
}

/** The description of the workflow; if callers run another version than the draft, the author of its changes. */
function StateWords({ workflow }: { workflow: BuilderWorkflow }) {
  const me = usePlace().session.person.userId
  const { description, publishedNumber, isDraftPublished, updatedBy, updatedAt } = workflow
  const change = words.changesBy(authorName(updatedBy, me), relativeTime(updatedAt, serverNow()))
  const state = publishedNumber === null ? words.neverPublished : isDraftPublished ? null : change
  return (
    <>
      {description && <span style={{ display: 'block' }}>{description}</span>}
      {state}
    </>
  )
}

/** Rerenders only for another workflow: not each time that the page learns of a change before the deferred one. */
const WorkflowTabs = memo(function WorkflowTabs({ workflow }: { workflow: BuilderWorkflow }) {
  const [{ tab }, setParams] = useSearchParams(PARAMS)
  return (
    <TabBar
      label={words.tabBar}
      tabs={TABS.map((id) => ({ id, label: words.tabs[id] }))}
      value={tab}
      onChange={(next) => setParams({ tab: next }, { push: true })}
    >
      <Suspense fallback={<Skeleton lines={6} />}>{tabOf(tab, workflow)}</Suspense>
    </TabBar>
  )
})

function tabOf(tab: WorkflowTab, workflow: BuilderWorkflow): ReactNode {
  switch (tab) {
    case 'editor':
      return <EditorTab workflow={workflow} />
    case 'triggers':
      return <TriggersTab workflow={workflow} />
    case 'tests':
      return <TestsTab workflow={workflow} />
    case 'versions':
      return <VersionsTab workflow={workflow} />
    case 'runs':
      return <RunsTab workflow={workflow} />
    case 'publish':
      return <PublishTab workflow={workflow} />
    default:
      return tab satisfies never
  }
}
