import type { BuilderWorkflow } from '@troupe/contract/builder'
import { Download, FlaskConical, FolderInput, Pencil, Play, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { LinkButton } from '../../atoms/controls/text-link.tsx'
import { LazyDialog } from '../../atoms/overlays/lazy-dialog.tsx'
import { ActionMenu } from '../../atoms/overlays/menu.tsx'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { moveWords } from '../../core/messages/en/parts/move.ts'
import { workflowPageWords as words } from '../../core/messages/en/workflows/page.ts'
import { runByHandWords } from '../../core/messages/en/workflows/running.ts'
import { testWords } from '../../core/messages/en/workflows/testing.ts'
import { flagParam, textParam } from '../../core/url/search-params.ts'
import { asJson } from '../../core/workflows/node-settings.ts'
import { downloadText, fileName } from '../../infrastructure/client/download-text.ts'
import { useKeys } from '../../infrastructure/keys/use-keys.ts'
import { useEntryRefusal } from '../../infrastructure/queries/use-entry-refusal.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { ExportThing } from '../../parts/export-bundle/export-thing.tsx'
import { MoveThing } from '../../parts/move-things/move-thing.tsx'
import { TEST_PLACE } from './draft-test/test-place.ts'

const RunDialog = lazyPart(async () => (await import('./parts/run-dialog.tsx')).RunDialog)

const RenameWorkflowDialog = lazyPart(
  async () => (await import('./rename-workflow-dialog.tsx')).RenameWorkflowDialog,
)

const UnpublishDialog = lazyPart(async () => (await import('./parts/unpublish-dialog.tsx')).UnpublishDialog)

const DeleteWorkflowDialog = lazyPart(
  async () => (await import('./delete-workflow-dialog.tsx')).DeleteWorkflowDialog,
)

const TestDialog = lazyPart(async () => (await import('./draft-test/test-dialog.tsx')).TestDialog)

// The URL of a run on the map has its id in `run`.
const PARAMS = { run: flagParam, tab: textParam, ...TEST_PLACE }
type Question = 'rename' | 'move' | 'unpublish' | 'delete' | 'bundle'

const reviewLabel = (
  <>
    <span data-long>{words.review}</span>
    <span data-short aria-hidden="true">
      {words.reviewShort}
    </span>
  </>
)

/** Actions on a workflow as a whole. */
export function WorkflowActions({ workflow }: { workflow: BuilderWorkflow }) {
  const { paths } = usePlace()
  const [{ run, tab, test, testStep, testPath, testRun }, setParams] = useSearchParams(PARAMS)
  const [question, setQuestion] = useState<Question | null>(null)
  const isPublished = workflow.deployment !== null
  const refusedToBuild = useRefusal('build')
  const refusal = refusedToBuild ?? (isPublished ? null : runByHandWords.needsPublish)
  const open = () => setParams({ run: true }, { push: true })
  const close = () => setQuestion(null)
  const openTest = () => setParams({ test: 'all' }, { push: true })
  const closeTest = () => setParams({ test: '', testStep: null, testPath: '', testRun: null })
  useKeys([
    { keys: 't', label: testWords.title, refusal: refusedToBuild, run: openTest },
    { keys: 'r', label: runByHandWords.title, refusal, run: open },
    { keys: 'e', label: words.renameTitle, refusal: refusedToBuild, run: () => setQuestion('rename') },
  ])
  return (
    <>
      <RefusableButton icon={<FlaskConical size={14} />} refusal={refusedToBuild} onPress={openTest}>
        <span data-rare>{testWords.test}</span>
      </RefusableButton>
      <RefusableButton icon={<Play size={14} />} refusal={refusal} onPress={open}>
        <span data-rare>{words.run}</span>
      </RefusableButton>
      {!workflow.isDraftPublished &&
        tab !== 'publish' &&
        (refusedToBuild === null ? (
          <LinkButton href={paths.workflow(workflow.workflowId, 'publish')} emphasis="primary">
            {reviewLabel}
          </LinkButton>
        ) : (
          <RefusableButton emphasis="primary" refusal={refusedToBuild}>
            {reviewLabel}
          </RefusableButton>
        ))}
      <ActionMenu label={words.actions} groups={useMenu(workflow, setQuestion)} />
      {run && refusal === null && (
        <LazyDialog>
          <RunDialog workflow={workflow} onClose={() => setParams({ run: false })} />
        </LazyDialog>
      )}
      {test !== '' && refusedToBuild === null && (
        <LazyDialog>
          <TestDialog
            key={`${test} ${testStep} ${testPath} ${testRun}`}
            workflow={workflow}
            kind={test}
            nodeId={testStep}
            path={testPath}
            fromRunId={testRun}
            onClose={closeTest}
          />
        </LazyDialog>
      )}
      <LazyDialog>
        {question === 'rename' && <RenameWorkflowDialog workflow={workflow} onClose={close} />}
        {question === 'move' && (
          <MoveThing
            kind="workflow"
            id={workflow.workflowId}
            name={workflow.name}
            projectId={workflow.projectId}
            onClose={close}
          />
        )}
        {question === 'unpublish' && <UnpublishDialog workflow={workflow} onClose={close} />}
        {question === 'bundle' && (
          <ExportThing
            include={[`workflow:${workflow.workflowId}`]}
            name={fileName(workflow.name)}
            onClose={close}
          />
        )}
        {question === 'delete' && <DeleteWorkflowDialog workflow={workflow} onClose={close} isOpened />}
      </LazyDialog>
    </>
  )
}

function useMenu(workflow: BuilderWorkflow, ask: (question: Question) => void) {
  const refusedToBuild = useEntryRefusal('build')
  const refusedToManage = useEntryRefusal('manage')
  const { name, draft } = workflow
  const download = () => downloadText(`${fileName(name)}.json`, `${asJson(draft)}\n`, 'application/json')
  return [
    {
      id: 'change',
      entries: [
        {
          id: 'rename',
          label: words.rename,
          icon: <Pencil size={14} />,
          ...refusedToBuild,
          onAction: () => ask('rename'),
        },
        {
          id: 'move',
          label: moveWords.entry,
          icon: <FolderInput size={14} />,
          ...refusedToBuild,
          onAction: () => ask('move'),
        },
      ],
    },
    {
      id: 'export',
      entries: [
        { id: 'json', label: words.exportJson, icon: <Download size={14} />, onAction: download },
        {
          id: 'bundle',
          label: words.exportBundle,
          detail: words.exportBundleDetail,
          icon: <Download size={14} />,
          ...refusedToManage,
          onAction: () => ask('bundle'),
        },
      ],
    },
    {
      id: 'end',
      entries: [
        {
          id: 'unpublish',
          label: words.unpublish,
          isDisabled: workflow.deployment === null,
          ...refusedToBuild,
          onAction: () => ask('unpublish'),
        },
        {
          id: 'delete',
          label: words.remove,
          icon: <Trash2 size={14} />,
          isDanger: true,
          ...refusedToBuild,
          onAction: () => ask('delete'),
        },
      ],
    },
  ]
}
