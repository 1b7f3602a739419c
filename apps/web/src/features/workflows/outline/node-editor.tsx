import type { WorkflowFinding } from '@troupe/contract'
import { isJsonObject } from '@troupe/contract'
import type { BuilderWorkflow } from '@troupe/contract/builder'
import { repairToken } from '@troupe/editor/commands/repair-tokens'
import { isSamePart } from '@troupe/editor/document/patch'
import { readGraph } from '@troupe/editor/document/read-graph'
import { hasToken } from '@troupe/editor/tokens/explain-failure'
import { knownTokens } from '@troupe/editor/tokens/known-tokens'
import { sampledTokens } from '@troupe/editor/tokens/run-sample'
import { fixesOf, reportedTokens, type TokenFix } from '@troupe/editor/tokens/token-fixes'
import { isSameJson } from '@troupe/editor/values/json-path'
import type { Graph, GraphNode } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { hasSampleFields } from '@troupe/nodes/sample-payload'
import { Maximize2, Minimize2 } from 'lucide-react'
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { CodeField } from '../../../atoms/code/code-field.tsx'
import { Button } from '../../../atoms/controls/button.tsx'
import { Segments } from '../../../atoms/controls/choices.tsx'
import { TextField } from '../../../atoms/controls/text-field.tsx'
import { focusNext, useFocusAfter } from '../../../atoms/focus/focus-next.ts'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { Callout } from '../../../atoms/states/panels.tsx'
import { useSendingRefusal } from '../../../atoms/states/sending-refusal.ts'
import { longNumberIn, readTypedJson } from '../../../core/forms/typed-json.ts'
import { listenerWords } from '../../../core/messages/en/workflows/listeners.ts'
import { fieldWords, outlineWords as words } from '../../../core/messages/en/workflows/outline.ts'
import { sampleWords } from '../../../core/messages/en/workflows/samples.ts'
import { stepDataWords as dataWords } from '../../../core/messages/en/workflows/step-data.ts'
import { optionalParam } from '../../../core/url/search-params.ts'
import { faultsOf, findingsBySetting } from '../../../core/workflows/findings.ts'
import { graphOf } from '../../../core/workflows/graph-of-draft.ts'
import { propertiesOf } from '../../../core/workflows/node-schema.ts'
import { asJson } from '../../../core/workflows/node-settings.ts'
import type { KeptStepEdit } from '../../../core/workflows/removed-steps.ts'
import { useDraft } from '../../../infrastructure/drafts/use-draft.ts'
import { nameOfKey } from '../../../infrastructure/keys/key-map.ts'
import { useKeys } from '../../../infrastructure/keys/use-keys.ts'
import { useSearchParams } from '../../../infrastructure/routing/place.ts'
import { KeeperOfTexts } from '../../../parts/config-form/keeper-of-texts.ts'
import { useSampledGraph } from '../../../parts/trigger-samples/use-samples.ts'
import { commitField } from '../../../parts/unsaved/commit-field.ts'
import { type UnreadTexts, useKeptTexts } from '../../../parts/unsaved/use-kept-texts.ts'
import { SaveState } from '../editing/save-state.tsx'
import { useDraftCommands } from '../editing/use-draft-editing.ts'
import { useDraftSession } from '../editing/use-draft-session.ts'
import { NodeForm } from '../fields/node-form.tsx'
import { ScheduleStrip } from '../fields/schedule-strip.tsx'
import { TokensOfStep } from '../fields/tokens-of-step.ts'
import { FormPreview } from '../form-preview/form-preview.tsx'
import { ListenSection } from '../listeners/listen-section.tsx'
import { SampleValues } from '../samples/sample-values.tsx'
import { useSampleValues } from '../samples/use-sample-values.ts'
import { StepInput, StepOutput } from '../step-data/step-data.tsx'
import { SampleOfStep, type TokenField } from '../step-data/step-sample.ts'
import { useRunSample } from '../step-data/use-run-sample.ts'
import styles from './outline.module.css'
import { isStepEdit, type StepEdit, stepDraftKey } from './step-edit.ts'
import { useDiscard } from './use-discard.ts'

const STEP_PARTS = ['settings', 'input', 'page', 'output'] as const
type StepPart = (typeof STEP_PARTS)[number]

/** A token in the error of a failed run: its field gets the focus. */
const PARAMS = { token: optionalParam }

const NO_CONFIG = {}
const NO_FAULTS: ReadonlyMap<string, string> = new Map()

export interface NodeEditorProps {
  workflow: BuilderWorkflow
  node: GraphNode
  findings: readonly WorkflowFinding[]
  /** A new object after each check of the draft. */
  checked: unknown
  /** Another user removed the step while it has unsaved text. The next change restores it. */
  isRemoved: boolean
  /** The step was just added; missing fields are shown after the first change. */
  isAdded: boolean
  /** The element to focus when the editor closes while it has the focus. */
  placeAfter(): Element | null
  /** Called with text that is not a valid setting yet; null: there is none, or the editor closes. */
  onEdit(edit: KeptStepEdit | null): void
  /** Whether it has the full width, beside the step's input and output. */
  isWide: boolean
  onWide(isWide: boolean): void
  onClose(): void
}

/** The text in the fields, and its saved step. */
interface TypedStep {
  name: string
  config: string
  of: GraphNode
}

/**
 * Edits the name and the settings of one step. Each change is a command of the draft, which saves automatically. Text that is not a valid
 * setting yet, such as incomplete JSON, is stored on the device until it is.
 */
export function NodeEditor(props: NodeEditorProps) {
  const { workflow, node, findings, checked, isRemoved, isAdded, placeAfter, onEdit, onClose } = props
  const { isWide, onWide } = props
  const { workflowId, draftRevision } = workflow
  const key = stepDraftKey(workflowId, node.id)
  const kept = useDraft<StepEdit>(key, isStepEdit)
  const session = useDraftSession(workflow)
  const { edit: run } = useDraftCommands(workflow)
  const [typed, setTyped] = useState<TypedStep | null>(null)
  const [view, setView] = useState<'form' | 'json'>('form')
  // The `node` of the props belongs to the last render.
  const now = session.editor.node(node.id) ?? node
  const edit = kept.value ?? shownOf(typed, now)
  const config = useMemo(() => readConfig(edit.config), [edit.config])
  const unread = useKeptTexts({ key, config: config ?? NO_CONFIG, isLoading: kept.isLoading, isOwn: true })
  const hasUnread = unread.list.length > 0
  const graph = graphOf(workflow.draft)
  const sampled = useSampledGraph(workflowId, graph)
  const known = useMemo(() => knownTokens(sampled, node.id), [sampled, node.id])
  const chosen = useRunSample(workflow, sampled, node, known)
  const { sample } = chosen
  const tokens = useMemo(() => (sample === null ? known : sampledTokens(known, sample)), [known, sample])
  const lastField = useRef<TokenField | null>(null)
  const [part, setPart] = useState<StepPart>('settings')
  const definition = NODE_TYPES.get(node.type)
  const readsTokens = definition?.role !== 'trigger' && definition?.role !== 'note'
  const schema = definition?.schema
  const isSampled = hasSampleFields(node.type)
  const ownSample = useSampleValues(workflow, now)
  const takesSample = schema !== undefined && propertiesOf(schema, {}).some(([name]) => name === 'sample')
  const isForm = node.type === 'form-trigger'
  const [isPageWhole, setPageWhole] = useState(false)
  const parts = STEP_PARTS.filter((id) => {
    if (id === 'page') return isForm
    return id === 'settings' || readsTokens || (takesSample && id === 'output')
  })
  const editor = useRef<HTMLDivElement>(null)
  const [{ token }] = useSearchParams(PARAMS)
  useFirstField(editor, token)
  useToldEdit(node.id, kept.value, onEdit)
  useEffect(() => () => session.showTyped(), [session])
  useFocusAfter(editor, placeAfter)
  const giveUp = useDiscard()
  const discard = () =>
    giveUp({
      ...{ key, name: node.name, takeOther: unread.discard },
      placeAfter: () => firstField(editor.current) ?? placeAfter(),
    })
  const put = (part: Partial<Pick<GraphNode, 'name' | 'config'>>) => {
    const gesture = { key: `type ${node.id}`, isHeld: false }
    run(
      words.gesture(part.name ?? now.name),
      (tx) => {
        const stored = tx.node(node.id) ?? node
        const isPlaced = stored.parentId === null || tx.node(stored.parentId) !== null
        tx.putNode({ ...stored, parentId: isPlaced ? stored.parentId : null, ...part })
      },
      { gesture },
    )
  }
  const change = (part: Partial<Pick<StepEdit, 'name' | 'config'>>) => {
    const next = { name: edit.name, config: edit.config, ...part }
    const settings = readConfig(next.config)
    const read = {
      ...(next.name !== '' && { name: next.name }),
      ...(settings !== null && { config: settings }),
    }
    const from = readStep(kept.value?.from) ?? now
    const isWhole = settings !== null && next.name !== ''
    if (kept.value !== null && !isRemoved && !isSameJson(from, now)) {
      // Merge the kept text with a colleague's change of the same step.
      const after = { ...from, ...read }
      session.adopt(
        [{ kind: 'node', id: node.id, before: from, after, next: null }],
        words.gesture(after.name),
      )
    } else if ((isWhole && isRemoved) || !isSamePart({ ...from, ...read }, from)) put(read)
    if (!isWhole) kept.edit({ ...next, from: JSON.stringify({ ...from, ...read }) }, String(draftRevision))
    else if (kept.value !== null) kept.discard()
    setTyped({ ...next, of: session.editor.node(node.id) ?? now })
  }
  const offline = useSendingRefusal()
  const saveByKey = () => {
    if (offline !== null) return void showNotice({ title: offline })
    const [first] = unread.list
    if (first) showNotice({ tone: 'bad', title: words.unread(first.label) })
    void commitField()
      .then(() => session.settled())
      .then((status) => {
        // Errors are shown by the save state.
        if (status === 'saved' && !first) showNotice({ title: words.saved })
      })
  }
  useKeys([{ keys: 'mod+s', label: words.save, refusal: offline, run: saveByKey }])
  // Findings refer to the settings at the time of the check.
  // biome-ignore lint/correctness/useExhaustiveDependencies: updated by checks only
  const checkedConfig = useMemo(() => now.config, [checked])
  const fixes = useMemo(
    () =>
      new Map(
        [...findingsBySetting(findings, checkedConfig, config ?? NO_CONFIG)].map(([setting, found]) => [
          setting,
          found.flatMap((finding) => fixesOf(finding, graph, tokens)),
        ]),
      ),
    [findings, checkedConfig, config, graph, tokens],
  )
  const repair = (fix: TokenFix) => {
    const label = words.gesture(now.name)
    const titles = { ...dataWords.names, take: dataWords.names.take(nameOfSource(graph, fix)) }
    const done = run(label, (tx, isRetired) => repairToken(tx, node.id, fix, titles, isRetired))
    if (done !== null) showNotice({ title: dataWords.repaired })
  }
  const takeSample = (output: unknown) => {
    const payload = payloadOf(output)
    if (isSampled) {
      if (!isJsonObject(payload)) return void showNotice({ tone: 'bad', title: listenerWords.noSample })
      void ownSample.take(payload, dataWords.sampled).then((outcome) => {
        if (outcome === 'failed') showNotice({ tone: 'bad', title: sampleWords.storeFailed })
      })
      return
    }
    if (config === null) return
    change({ config: asJson({ ...config, sample: payload }) })
    showNotice({ title: dataWords.sampled })
  }
  const isUntouched = isAdded && typed === null && kept.value === null
  const names = useMemo(() => new Map(graph.nodes.map(({ id, name }) => [id, name])), [graph])
  const faults = useMemo(
    () =>
      isUntouched || !schema || config === null
        ? NO_FAULTS
        : faultsOf(findings, schema, checkedConfig, config, names),
    [isUntouched, findings, schema, checkedConfig, config, names],
  )
  const reported = useMemo(() => reportedTokens(isUntouched ? [] : findings), [isUntouched, findings])
  // The form and the values beside it rerender only when their own content changes, not for each key in another field.
  const latest = useRef({ change, repair, takeSample, keeper: unread.keeper })
  latest.current = { change, repair, takeSample, keeper: unread.keeper }
  const stepSample = useMemo(
    () => ({
      ...{ sample, tokens, fixes, reported, lastField },
      repair: (fix: TokenFix) => latest.current.repair(fix),
    }),
    [sample, tokens, fixes, reported],
  )
  const onConfig = useCallback(
    (next: Record<string, unknown>) => latest.current.change({ config: asJson(next) }),
    [],
  )
  const onSample = useCallback((output: unknown) => latest.current.takeSample(output), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new list changes the texts of all fields
  const keeper = useCallback<UnreadTexts['keeper']>(
    (path) => ({
      kept: latest.current.keeper(path).kept,
      keep: (text) => latest.current.keeper(path).keep(text),
      forget: (text) => latest.current.keeper(path).forget(text),
    }),
    [unread.list],
  )

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: page shortcuts are off in the dialog of narrow pages
    <div
      ref={editor}
      className={styles.editor}
      onBlur={() => session.showTyped()}
      onKeyDown={(event) => {
        if (nameOfKey(event) !== 'mod+s' || event.defaultPrevented) return
        event.preventDefault()
        saveByKey()
      }}
    >
      {isRemoved && <Callout tone="warn">{words.removedMeanwhile}</Callout>}
      {parts.length > 1 && (
        <div className={styles.parts}>
          <span className={styles.partTabs}>
            <Segments
              label={dataWords.part}
              value={part}
              onChange={setPart}
              options={parts.map((id) => ({
                id,
                label: isSampled && id === 'output' ? dataWords.calls : dataWords.parts[id],
              }))}
            />
          </span>
          <span className={styles.wideButton}>
            <Button
              size="small"
              emphasis="quiet"
              icon={isWide ? <Minimize2 size={14} /> : <Maximize2 size={14} />}
              onPress={() => onWide(!isWide)}
            >
              {isWide ? dataWords.narrow : dataWords.wide}
            </Button>
          </span>
        </div>
      )}
      <SampleOfStep value={stepSample}>
        <div
          className={styles.columns}
          data-part={parts.includes(part) ? part : 'settings'}
          data-whole={isForm && isPageWhole ? 'page' : undefined}
        >
          {readsTokens && (
            <div className={styles.column} data-of="input">
              <StepInput chosen={chosen} />
            </div>
          )}
          <div className={styles.column} data-of="settings">
            <TextField
              label={words.stepName}
              value={edit.name}
              onChange={(name) => change({ name })}
              maxLength={128}
              isRequired
              error={edit.name === '' ? words.nameless : null}
            />
            {schema && (
              <Segments
                label={fieldWords.view}
                value={config === null ? 'json' : view}
                onChange={setView}
                options={[
                  { id: 'form', label: fieldWords.views.form },
                  { id: 'json', label: fieldWords.views.json },
                ]}
              />
            )}
            {schema && config !== null && view === 'form' ? (
              <>
                <TokensOfStep value={tokens}>
                  <KeeperOfTexts value={keeper}>
                    <NodeForm
                      schema={schema}
                      config={config}
                      projectId={workflow.projectId}
                      onChange={onConfig}
                      faults={faults}
                    />
                  </KeeperOfTexts>
                </TokensOfStep>
                {node.type === 'recurrence' && <ScheduleStrip config={config} />}
                {readsTokens && <p className={styles.muted}>{fieldWords.tokenKinds}</p>}
                <p className={styles.muted}>{words.configDetail}</p>
              </>
            ) : (
              <CodeField
                label={words.config}
                description={words.configDetail}
                language="json"
                value={edit.config}
                onChange={(text) => change({ config: text })}
                error={config === null ? (longNumberIn(edit.config) ?? words.notObject) : null}
              />
            )}
          </div>
          {isForm && (
            <div className={styles.column} data-of="page">
              <FormPreview
                workflowId={workflowId}
                config={config ?? now.config}
                isWhole={isPageWhole}
                onWhole={setPageWhole}
              />
            </div>
          )}
          {parts.includes('output') && (
            <div className={styles.column} data-of="output">
              {isSampled && (
                <>
                  <SampleValues workflow={workflow} node={now} />
                  <ListenSection workflow={workflow} node={now} />
                </>
              )}
              {(!isSampled || chosen.runs.length > 0) && (
                <StepOutput chosen={chosen} onSample={takesSample ? onSample : null} />
              )}
            </div>
          )}
        </div>
      </SampleOfStep>
      <div className={styles.panelActions}>
        <Button onPress={onClose}>{words.closeEditor}</Button>
        {(kept.value !== null || hasUnread) && (
          <Button emphasis="quiet" onPress={discard}>
            {words.discard}
          </Button>
        )}
        <span className={styles.narrowState}>
          <SaveState workflow={workflow} />
        </span>
      </div>
      {unread.list.map(({ path, label }) => (
        <p key={path} className={styles.muted}>
          {words.unread(label)}
        </p>
      ))}
      {(kept.value !== null || hasUnread) && (
        <p className={styles.muted}>{kept.isKept && unread.isKept ? words.keptHere : words.notKept}</p>
      )}
    </div>
  )
}

/** The fields as typed, unless another user has changed the step since. */
function shownOf(typed: TypedStep | null, { name, config }: GraphNode): Omit<TypedStep, 'of'> {
  const isOwn = typed !== null && typed.of.name === name && isSameJson(typed.of.config, config)
  return isOwn ? typed : { name, config: asJson(config) }
}

/** Focuses the first field of an opened form, or the field with a token, and scrolls to it. */
function useFirstField(editor: RefObject<HTMLElement | null>, token: string | null): void {
  const wanted = useRef(token)
  useEffect(() => {
    const withToken = wanted.current === null ? null : fieldWithToken(editor.current, wanted.current)
    const around = withToken?.closest('details')
    if (around) around.open = true
    const field = () => withToken ?? firstField(editor.current)
    field()?.focus()
    // A closing dialog returns its focus first.
    focusNext(field)
    // The panel may be scrolled down from reading the step.
    const frame = requestAnimationFrame(() =>
      withToken === null ? scrollUp(editor.current) : withToken.scrollIntoView({ block: 'center' }),
    )
    return () => cancelAnimationFrame(frame)
  }, [editor])
}

/**
 * The name of the step: the inputs before it, beside the settings or hidden, filter the values that the step
 * reads.
 */
function firstField(editor: HTMLElement | null): HTMLElement | null {
  return editor?.querySelector<HTMLElement>('[data-of="settings"] input') ?? null
}

function fieldWithToken(editor: HTMLElement | null, token: string): HTMLElement | null {
  const fields = editor?.querySelectorAll<TokenField>('input, textarea') ?? []
  return [...fields].find(({ value }) => hasToken(value, token)) ?? null
}

function useToldEdit(nodeId: string, value: StepEdit | null, onEdit: NodeEditorProps['onEdit']): void {
  const from = value?.from ?? null
  useEffect(() => {
    onEdit(from === null ? null : { nodeId, from })
    return () => onEdit(null)
  }, [nodeId, from, onEdit])
}

/** Scrolls the panel or sheet around an element to its top, without scrolling the page. */
function scrollUp(part: Element | null): void {
  const around = part?.closest('aside, [role="dialog"]')
  for (let at = part; at && around?.contains(at); at = at.parentElement) at.scrollTop = 0
}

function readStep(text: string | undefined): GraphNode | null {
  const read = text === undefined ? null : readTypedJson(text)
  return read?.ok ? (readGraph({ nodes: [read.value] }).nodes[0] ?? null) : null
}

function readConfig(text: string): Record<string, unknown> | null {
  const read = readTypedJson(text)
  return read.ok && isJsonObject(read.value) ? read.value : null
}

/** The name of the step whose value a repair keeps. */
function nameOfSource({ nodes }: Graph, fix: TokenFix): string {
  const id = fix.kind === 'bring-together' ? fix.nodeId : ''
  return nodes.find((node) => node.id === id)?.name ?? id
}

/** A caller's data: a webhook and a form bind it below `body`. */
function payloadOf(output: unknown): unknown {
  return isJsonObject(output) && isJsonObject(output.body) && Object.keys(output).length === 1
    ? output.body
    : output
}
