import type { WorkflowOverviewItem } from '@troupe/contract/builder'
import { ChevronDown, FileJson, FileUp, Workflow } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../atoms/controls/button.tsx'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { PageLayout } from '../../atoms/layout/page.tsx'
import { SearchToolbar } from '../../atoms/layout/search-toolbar.tsx'
import { LazyDialog } from '../../atoms/overlays/lazy-dialog.tsx'
import { ActionMenu } from '../../atoms/overlays/menu.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { DraftMark, LiveMark } from '../../atoms/states/badge.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { listWords } from '../../core/messages/en/lists.ts'
import { newWorkflowWords, workflowPageWords } from '../../core/messages/en/workflows/page.ts'
import { workflowWords } from '../../core/messages/en/workflows/workflows.ts'
import { LIST_PARAMS, listQuery } from '../../core/url/list-params.ts'
import { flagParam } from '../../core/url/search-params.ts'
import { useEntryRefusal } from '../../infrastructure/queries/use-entry-refusal.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { WEEK_COLUMN } from '../../parts/lists/list-columns.tsx'
import { turningOf } from '../../parts/lists/turning.ts'
import { useCreateActions } from '../../parts/lists/use-create-actions.tsx'
import { MovableTable } from '../../parts/move-things/movable-table.tsx'
import { DeleteWorkflowDialog } from './delete-workflow-dialog.tsx'
import { TriggerList } from './trigger-list.tsx'
import { WorkflowPeek } from './workflow-peek.tsx'

const ImportWorkflowDialog = lazyPart(
  async () => (await import('./import-workflow-dialog.tsx')).ImportWorkflowDialog,
)
const NewWorkflowDialog = lazyPart(async () => (await import('./new-workflow-dialog.tsx')).NewWorkflowDialog)

const PARAMS = { ...LIST_PARAMS, create: flagParam, example: flagParam, import: flagParam }

/** The summary beside it has the full text. */
const FAILURE = 'failure'

const idOfWorkflow = ({ workflowId }: WorkflowOverviewItem) => workflowId

const COLUMNS: readonly Column<WorkflowOverviewItem>[] = [
  { id: 'name', title: listWords.name, width: '22%', isSortable: true, cell: ({ name }) => name },
  {
    id: 'published',
    title: workflowWords.published,
    width: 'clamp(6.5rem, 18vw, 13rem)',
    cell: ({ publishedNumber, isDraftPublished, updatedBy }) => (
      <>
        {publishedNumber === null ? <DraftMark /> : <LiveMark version={publishedNumber} />}{' '}
        {publishedNumber !== null && !isDraftPublished && (
          <DraftMark>
            {updatedBy?.name ? workflowWords.changesBy(updatedBy.name) : workflowWords.changes}
          </DraftMark>
        )}
      </>
    ),
  },
  {
    id: 'triggers',
    title: workflowWords.triggers,
    from: 'wider',
    cell: ({ triggers }) => (triggers.length > 0 ? <TriggerList triggers={triggers} /> : '–'),
  },
  {
    id: 'fire',
    title: workflowWords.nextFire,
    width: '128px',
    from: 'huge',
    cell: ({ nextFireAt }) => <MomentText at={nextFireAt} />,
  },
  WEEK_COLUMN,
  {
    id: 'run',
    title: listWords.lastRun,
    width: '128px',
    from: 'widest',
    cell: ({ lastRunAt }) => <MomentText at={lastRunAt} none={listWords.never} />,
  },
  {
    id: FAILURE,
    title: workflowWords.lastFailure,
    width: '14%',
    from: 'vast',
    cell: ({ lastFailure }) => (lastFailure ? <LastFailure {...lastFailure} /> : '–'),
  },
]

/** The workflows of an organization: published versions, pending drafts, and their results. */
export function WorkflowsPage() {
  const { paths, may, projectId } = usePlace()
  const [params, setParams] = useSearchParams(PARAMS)
  const [leaving, setLeaving] = useState<WorkflowOverviewItem | null>(null)
  const workflows = useOperation('listWorkflows', { query: listQuery(params, projectId) })
  const { q, sort, page, create, example } = params
  const { button, firstActions } = useCreateActions(newWorkflowWords.title, (form) =>
    setParams(form, { push: true }),
  )
  return (
    <PageLayout
      title={workflowWords.title}
      detail={workflowWords.detail}
      actions={
        <>
          <ImportMenu onFile={() => setParams({ import: true }, { push: true })} />
          {button}
        </>
      }
    >
      <SearchToolbar
        label={workflowWords.search}
        value={q}
        onChange={(text) => setParams({ q: text, page: 1 })}
      />
      <MovableTable
        kind="workflow"
        asked={workflows}
        words={workflowWords}
        label={workflowWords.title}
        columns={COLUMNS}
        idOf={idOfWorkflow}
        nameOf={({ name }) => name}
        hasTiles
        hrefOf={({ workflowId }) => paths.workflow(workflowId)}
        peekOf={(workflow) => (
          <WorkflowPeek workflow={workflow} columns={COLUMNS.filter(({ id }) => id !== FAILURE)} />
        )}
        actionsOf={(workflow) => <RowMenu name={workflow.name} onDelete={() => setLeaving(workflow)} />}
        {...turningOf({ sort, page }, setParams)}
        isFiltered={q !== ''}
        picture={<Workflow size={22} />}
        firstActions={firstActions}
      />
      <LazyDialog>
        {create && may('build') && (
          <NewWorkflowDialog
            isExample={example}
            onImport={() => setParams({ create: false, example: false, import: true })}
            onClose={() => setParams({ create: false, example: false })}
          />
        )}
        {params.import && may('build') && (
          <ImportWorkflowDialog onClose={() => setParams({ import: false })} />
        )}
      </LazyDialog>
      {leaving && <DeleteWorkflowDialog workflow={leaving} onClose={() => setLeaving(null)} />}
    </PageLayout>
  )
}

function LastFailure({ executionId, error, createdAt }: NonNullable<WorkflowOverviewItem['lastFailure']>) {
  const { paths } = usePlace()
  return (
    <>
      <TextLink href={paths.run(executionId)} look="plain">
        <MomentText at={createdAt} />
      </TextLink>{' '}
      {error}
    </>
  )
}

function ImportMenu({ onFile }: { onFile(): void }) {
  const { paths } = usePlace()
  const refusedToBuild = useEntryRefusal('build')
  const refusedToManage = useEntryRefusal('manage')
  return (
    <ActionMenu
      label={newWorkflowWords.more}
      trigger={
        <Button icon={<FileUp size={14} />}>
          <span data-rare>{newWorkflowWords.importAction}</span>
          <ChevronDown size={14} />
        </Button>
      }
      entries={[
        {
          id: 'file',
          label: newWorkflowWords.importFile,
          icon: <FileJson size={14} />,
          ...refusedToBuild,
          onAction: onFile,
        },
        {
          id: 'bundle',
          label: newWorkflowWords.importBundle,
          icon: <FileUp size={14} />,
          href: paths.settings('bundle'),
          ...refusedToManage,
        },
      ]}
    />
  )
}

function RowMenu({ name, onDelete }: { name: string; onDelete(): void }) {
  const refusedToBuild = useEntryRefusal('build')
  return (
    <ActionMenu
      label={workflowWords.actions(name)}
      entries={[
        {
          id: 'delete',
          label: workflowPageWords.remove,
          isDanger: true,
          ...refusedToBuild,
          onAction: onDelete,
        },
      ]}
    />
  )
}
