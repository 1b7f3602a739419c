import type { BuilderWorkflow } from '@troupe/contract/builder'
import { type Outline, outlineOf } from '@troupe/editor/outline/outline'
import type { Graph, GraphNode } from '@troupe/graph'
import { Braces, ListTree, Workflow as WorkflowIcon } from 'lucide-react'
import { Suspense, useEffect, useMemo, useState } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { Segments } from '../../../atoms/controls/choices.tsx'
import { focusNext } from '../../../atoms/focus/focus-next.ts'
import { Card, Section, Toolbar } from '../../../atoms/layout/page.tsx'
import { LazyDialog } from '../../../atoms/overlays/lazy-dialog.tsx'
import { SplitView } from '../../../atoms/overlays/split-view.tsx'
import { lazyExtra, lazyPart } from '../../../atoms/parts/lazy-part.ts'
import { Empty, Skeleton } from '../../../atoms/states/panels.tsx'
import { outlineWords as words } from '../../../core/messages/en/workflows/outline.ts'
import { choiceParam, flagParam, optionalParam, textParam } from '../../../core/url/search-params.ts'
import { graphOf } from '../../../core/workflows/graph-of-draft.ts'
import type { KeptStepEdit } from '../../../core/workflows/removed-steps.ts'
import { useForgetDraft } from '../../../infrastructure/drafts/use-draft.ts'
import { workflowView } from '../../../infrastructure/preferences/preferences.ts'
import { useValue } from '../../../infrastructure/preferences/use-value.ts'
import { useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../../infrastructure/routing/place.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { CanvasBoundary } from '../canvas/canvas-boundary.tsx'
import { UndoButtons } from '../editing/undo-buttons.tsx'
import { shapeOfNode } from '../map/shape-of-node.ts'
import { FindingList } from '../parts/finding-list.tsx'
import { placeAfterEdit, rowOf, STEPS_ID } from '../parts/step-places.ts'
import { usePins } from '../pins/use-pins.ts'
import { AddAtEnd } from './add-at-end.tsx'
import { DraftEditor } from './draft-editor.tsx'
import { NodePanel } from './node-panel.tsx'
import styles from './outline.module.css'
import { OutlineList } from './outline-list.tsx'
import { stepDraftKey, useKeptSteps, useRemovedStep } from './step-edit.ts'

const AddStepDialog = lazyPart(async () => (await import('./add-step-dialog.tsx')).AddStepDialog)
// Loaded when a step is edited.
const GraphPicture = lazyExtra(async () => (await import('./graph-picture.tsx')).GraphPicture)
const NodeEditor = lazyPart(async () => (await import('./node-editor.tsx')).NodeEditor)
const MapSource = lazyPart(async () => (await import('../map/map-source.tsx')).MapSource)
const DraftMap = lazyPart(async () => (await import('../map/draft-map.tsx')).DraftMap)
const DraftCanvas = lazyPart(async () => (await import('../canvas/draft-canvas.tsx')).DraftCanvas)
const LastTestOfList = lazyExtra(
  async () => (await import('../last-test/last-test-of-list.tsx')).LastTestOfList,
)
const OutlineCommands = lazyPart(
  async () => (await import('../commands/outline-commands.tsx')).OutlineCommands,
)
const VersionMap = lazyPart(async () => (await import('../map/past-map.tsx')).VersionMap)
const RunMap = lazyPart(async () => (await import('../map/past-map.tsx')).RunMap)

const VIEWS = ['outline', 'map', 'json'] as const
const paramsOf = (view: 'outline' | 'map') => ({
  view: choiceParam(VIEWS, view),
  node: optionalParam,
  edit: flagParam,
  wide: flagParam,
  token: optionalParam,
})
/** The parameters by view, for a URL without a view. */
const PARAMS = { outline: paramsOf('outline'), map: paramsOf('map') }
const SOURCE = { of: textParam, run: optionalParam, path: textParam, at: textParam }
const ICONS = { outline: <ListTree size={14} />, map: <WorkflowIcon size={14} />, json: <Braces size={14} /> }

function useStepParams() {
  const chosenLast = useValue(workflowView)
  return useSearchParams(PARAMS[chosenLast === 'map' ? 'map' : 'outline'])
}

/** The draft as an outline in execution order, as a map or as JSON. The map also shows versions and runs. */
export function EditorTab({ workflow }: { workflow: BuilderWorkflow }) {
  const [{ view, node: chosen, edit }, setParams] = useStepParams()
  const [{ of, run }, setSource] = useSearchParams(SOURCE)
  const { may } = usePlace()
  const { workflowId, draft } = workflow
  // Findings are for builders; the server refuses this check for others.
  const preview = useOperation('previewPublish', { params: { workflowId } }, { isEnabled: may('build') })
  const graph = graphOf(draft)
  const [openEdit, setOpenEdit] = useState<KeptStepEdit | null>(null)
  const removed = useRemovedStep(workflowId, graph, chosen, openEdit)
  const moment = `${workflow.draftRevision} ${removed?.id ?? ''} ${chosen ?? ''} ${edit}`
  const { removed: others, edited } = useKeptSteps(workflowId, graph, moment)
  // The open editor reports its own unsaved text while it is typed.
  const open = edit ? openEdit?.nodeId : undefined
  const unsaved = new Set(edited.map(({ id }) => id).filter((id) => !edit || id !== chosen))
  if (open !== undefined) unsaved.add(open)
  const toolbar = (
    <Toolbar label={words.view}>
      <Segments
        label={words.view}
        value={view}
        onChange={(next) => {
          setParams({ view: next })
          // JSON is only viewed occasionally, so it is not stored as the preferred view.
          if (next !== 'json') workflowView.set(next)
        }}
        options={VIEWS.map((id) => ({ id, label: words.views[id], icon: ICONS[id] }))}
      />
      {view === 'map' ? (
        <Suspense>
          <MapSource
            workflow={workflow}
            value={{ of, run }}
            onChange={(next) => setSource({ ...next, path: '', at: '' }, { push: true })}
          />
        </Suspense>
      ) : null}
      {of === '' && run === null && <UndoButtons workflow={workflow} />}
      {view !== 'map' && <span className={styles.count}>{words.stepCount(graph.nodes.length)}</span>}
    </Toolbar>
  )
  const isCanvas = view === 'map' && may('build')
  const toList = () => setParams({ view: 'outline' })
  if (view === 'map' && (of !== '' || run !== null)) {
    return (
      <div id={STEPS_ID} className={styles.tab}>
        {toolbar}
        <CanvasBoundary key={`${of} ${run}`} onList={toList}>
          <Suspense fallback={<Skeleton lines={8} />}>
            {run !== null ? (
              <RunMap key={run} workflow={workflow} runId={run} onList={toList} />
            ) : (
              <VersionMap key={of} workflow={workflow} number={of} onList={toList} />
            )}
          </Suspense>
        </CanvasBoundary>
      </div>
    )
  }
  if (view === 'json') {
    return (
      <div className={styles.tab}>
        {toolbar}
        <DraftEditor workflow={workflow} />
      </div>
    )
  }
  return (
    <div id={STEPS_ID} className={styles.tab}>
      {toolbar}
      {graph.nodes.length === 0 && removed === null && others.length === 0 && !isCanvas ? (
        <Empty
          picture={<WorkflowIcon size={22} />}
          title={words.empty}
          actions={<Button onPress={() => setParams({ view: 'json' })}>{words.writeJson}</Button>}
        >
          {words.emptyDetail}
        </Empty>
      ) : (
        <Steps
          workflow={workflow}
          graph={graph}
          removed={removed}
          others={others}
          unsaved={unsaved}
          findings={preview.data?.findings ?? NO_FINDINGS}
          checked={preview.data}
          onOpenEdit={setOpenEdit}
          isMap={view === 'map'}
        />
      )}
    </div>
  )
}

/** From this width on, the settings of a form are beside its page. */
const MIN_WIDTH_OF_PAGE = 1_280

/** Whether a step is a form that is edited beside its page, which needs the full width. */
function isBesideItsPage({ nodes }: Graph, id: string | null): boolean {
  return (
    window.innerWidth >= MIN_WIDTH_OF_PAGE && nodes.find((node) => node.id === id)?.type === 'form-trigger'
  )
}

/** Steps of a picture beside the list: a layout of more takes too long, and they are too small to see. */
const MOST_DRAWN = 150

const NO_FINDINGS: StepsProps['findings'] = []

/** The outline of a graph, computed once for each graph with a visible outline: the map has none. */
function useOutline(graph: Graph): () => Outline {
  return useMemo(() => {
    let made: Outline | null = null
    return () => {
      made ??= outlineOf(graph, shapeOfNode)
      return made
    }
  }, [graph])
}

interface StepsProps {
  workflow: BuilderWorkflow
  graph: Graph
  /** The selected step, if another user removed it while it was edited here. */
  removed: GraphNode | null
  /** All steps that were removed while they were edited here. */
  others: readonly GraphNode[]
  /** Ids of steps with unsaved edits. */
  unsaved: ReadonlySet<string>
  findings: Parameters<typeof FindingList>[0]['findings']
  /** A new object after each check. */
  checked: unknown
  /** Called with the unsaved text of the open step; null: none. */
  onOpenEdit(edit: KeptStepEdit | null): void
  /** Whether to show the map instead of the outline. */
  isMap: boolean
}

function Steps(props: StepsProps) {
  const { workflow, graph, removed, others, unsaved, findings, checked, onOpenEdit, isMap } = props
  const [{ node: chosen, edit, wide }, setParams] = useStepParams()
  const outline = useOutline(graph)
  const pins = usePins(workflow.workflowId, graph)
  // biome-ignore lint/correctness/useExhaustiveDependencies: on mount only
  useEffect(() => {
    // A link from the publish tab lost its focus with that tab. After a page load there was no link.
    if (chosen !== null && !edit && navigator.userActivation.hasBeenActive) focusNext(() => rowOf(chosen))
  }, [])
  const node = removed ?? graph.nodes.find(({ id }) => id === chosen) ?? null
  // A new step shows no missing fields before the first input, or before its editor is closed.
  const [added, setAdded] = useState<string | null>(null)
  const [addingAfter, setAddingAfter] = useState<GraphNode | null>(null)
  const choose = (id: string | null, isEdited = false) => {
    // A new step that is opened for editing is still untouched.
    setAdded((now) => (isEdited && now === id ? now : null))
    // Opening a step adds a history entry, so that Back closes it; switching steps replaces the entry.
    setParams(
      { node: id, edit: isEdited, wide: isEdited && (wide || isBesideItsPage(graph, id)), token: null },
      { push: chosen === null && id !== null },
    )
  }
  const chooseAdded = (id: string, isEdited = true) => {
    choose(id, isEdited)
    setAdded(id)
  }
  const close = () => {
    choose(null)
    if (chosen !== null) focusNext(() => rowOf(chosen))
  }
  const { may } = usePlace()
  const forgetDraft = useForgetDraft()
  // Forget unsaved text that is stored under the id of a removed step.
  const onMade = (ids: readonly string[]) => {
    for (const id of ids) forgetDraft(stepDraftKey(workflow.workflowId, id))
  }
  const openCanvas = () => {
    setParams({ view: 'map' }, { push: true })
    workflowView.set('map')
  }
  const onMap = { onChoose: choose, onLeave: close, onList: () => setParams({ view: 'outline' }) }
  return (
    <SplitView
      hint={words.choose}
      picture={
        !isMap &&
        graph.nodes.length <= MOST_DRAWN && (
          <Suspense fallback={null}>
            <GraphPicture graph={graph} onOpen={openCanvas} />
          </Suspense>
        )
      }
      look={wide && edit && node !== null ? 'whole' : 'usual'}
      panel={
        node && {
          title: node.name,
          // Keep the same editor, and its caret, for a step removed by another user.
          content:
            edit || removed ? (
              <Suspense fallback={<Skeleton lines={8} />}>
                <NodeEditor
                  key={node.id}
                  workflow={workflow}
                  node={node}
                  findings={findings.filter(({ nodeId }) => nodeId === node.id)}
                  isRemoved={removed !== null}
                  isAdded={node.id === added}
                  placeAfter={() => placeAfterEdit(node.id)}
                  onEdit={onOpenEdit}
                  checked={checked}
                  isWide={wide}
                  onWide={(isWide) => setParams({ wide: isWide })}
                  onClose={removed ? close : () => choose(node.id)}
                />
              </Suspense>
            ) : (
              <NodePanel
                key={node.id}
                workflow={workflow}
                graph={graph}
                node={node}
                findings={
                  node.id === added ? NO_FINDINGS : findings.filter(({ nodeId }) => nodeId === node.id)
                }
                onChoose={choose}
                onAdded={chooseAdded}
                outline={outline()}
              />
            ),
          onClose: close,
        }
      }
    >
      {isMap ? (
        <CanvasBoundary onList={onMap.onList}>
          <Suspense fallback={<Skeleton lines={8} />}>
            {may('build') ? (
              <DraftCanvas
                {...{ workflow, graph, findings, chosen, onMade, onAdded: chooseAdded, ...onMap }}
              />
            ) : (
              <DraftMap isDraft workflowId={workflow.workflowId} {...{ graph, findings, chosen, ...onMap }} />
            )}
          </Suspense>
        </CanvasBoundary>
      ) : (
        <>
          {may('build') && (
            // The list does not move under a finger when the commands arrive.
            <Suspense fallback={<div className={styles.commandsPlace} />}>
              <OutlineCommands
                {...{ workflow, graph, chosen, onMade }}
                outline={outline()}
                onChoose={choose}
                onAdded={chooseAdded}
              />
            </Suspense>
          )}
          <OutlineList
            outline={outline()}
            {...{ findings, unsaved, pins, chosen }}
            onChoose={choose}
            onAdd={may('build') ? setAddingAfter : undefined}
            adding={addingAfter?.id ?? null}
          />
          {addingAfter && (
            <LazyDialog>
              <AddStepDialog
                workflow={workflow}
                after={addingAfter}
                onClose={() => {
                  setAddingAfter(null)
                  // Its button is rendered only while the pointer or the keyboard is on the row.
                  focusNext(() => rowOf(addingAfter.id))
                }}
                onAdded={(id) => {
                  setAddingAfter(null)
                  chooseAdded(id)
                }}
              />
            </LazyDialog>
          )}
        </>
      )}
      {!isMap && <AddAtEnd workflow={workflow} outline={outline()} onAdded={chooseAdded} />}
      {!isMap && may('build') && (
        <Suspense>
          <LastTestOfList workflowId={workflow.workflowId} />
        </Suspense>
      )}
      {others.length > 0 && (
        <Section title={words.removedSteps} detail={words.removedStepsDetail}>
          <ul>
            {others.map(({ id, name }) => (
              <li key={id}>
                <Button emphasis="quiet" size="small" onPress={() => choose(id, true)}>
                  {name}
                </Button>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {findings.length > 0 && (
        <Card>
          <h2>{words.findings}</h2>
          <FindingList findings={findings} nodes={graph.nodes} onChoose={choose} />
        </Card>
      )}
    </SplitView>
  )
}
