import type { IdText, ListenerCallId, WorkflowId, WorkflowRunId } from '@troupe/contract'
import type { PlanTestBody, TestRunPlan } from '@troupe/contract/builder'
import { readGraph } from '@troupe/editor/document/read-graph'
import type { Graph, GraphNode } from '@troupe/graph'
import { readsBody } from '@troupe/nodes/call-input'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { samplePayload } from '@troupe/nodes/sample-payload'
import { useEffect, useMemo, useState } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { RadioGroup } from '../../../atoms/controls/choices.tsx'
import { NumberField } from '../../../atoms/controls/number-field.tsx'
import { Select } from '../../../atoms/controls/select.tsx'
import { TextField } from '../../../atoms/controls/text-field.tsx'
import { Toggle } from '../../../atoms/controls/toggles.tsx'
import { focusNext, pageHeading } from '../../../atoms/focus/focus-next.ts'
import { CommandEnter } from '../../../atoms/keys/command-enter.tsx'
import { Section } from '../../../atoms/layout/page.tsx'
import { Dialog, DialogActions } from '../../../atoms/overlays/dialog.tsx'
import { SendButton } from '../../../atoms/overlays/send-button.tsx'
import { FailurePanel } from '../../../atoms/states/failure-panel.tsx'
import { Skeleton } from '../../../atoms/states/panels.tsx'
import { RestoredNote } from '../../../atoms/states/restored-note.tsx'
import { useSendingRefusal } from '../../../atoms/states/sending-refusal.ts'
import { serverNow } from '../../../core/format/server-clock.ts'
import { relativeTime } from '../../../core/format/times.ts'
import { runWords } from '../../../core/messages/en/runs.ts'
import { HANDLE_WORDS } from '../../../core/messages/en/workflows/handle-words.ts'
import { pinWords } from '../../../core/messages/en/workflows/pins.ts'
import { testWords as words } from '../../../core/messages/en/workflows/testing.ts'
import { withSearch } from '../../../core/url/paths.ts'
import { asJson } from '../../../core/workflows/node-settings.ts'
import { type AskedStep, askedSteps, typedSeeds, untyped } from '../../../core/workflows/test-values.ts'
import { useTypedForm } from '../../../infrastructure/drafts/use-typed-form.ts'
import { useChange, useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { useGoTo } from '../../../infrastructure/routing/place.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { useSampledGraph } from '../../../parts/trigger-samples/use-samples.ts'
import { SaveState } from '../editing/save-state.tsx'
import { useDraftSession } from '../editing/use-draft-session.ts'
import { PayloadInputField, usePayloadInput } from '../parts/payload-field.tsx'
import { firstTrigger, TRIGGERS } from '../parts/trigger-payload.ts'
import type { WorkflowDialogProps } from '../parts/workflow-dialog.ts'
import { usePins } from '../pins/use-pins.ts'
import { TestPlanView } from './test-plan.tsx'
import styles from './testing.module.css'
import { useTestPlan } from './use-test-plan.ts'

const KINDS = ['all', 'only', 'until', 'from'] as const
type Kind = (typeof KINDS)[number]
const NEWEST_RUNS = 20
const NO_SOURCE = 'none'

/** The initial state of the dialog. */
export interface TestDialogProps extends WorkflowDialogProps {
  kind: Kind
  /** The step of the scope; null: none is selected yet. */
  nodeId: string | null
  /** The iterations around it; empty: the first of each Loop. */
  path: string
  /** The run whose results are used; null: none. */
  fromRunId: IdText<WorkflowRunId> | null
  /** A call of a listener as the initial payload; absent: the sample of the trigger. */
  payload?: { callId: IdText<ListenerCallId>; triggerNodeId: string; value: unknown }
}

/** Tests the draft or a part of it: the executed steps, their data, and their effects. */
export function TestDialog({ workflow, onClose, ...opened }: TestDialogProps) {
  const graph = useMemo(() => readGraph(workflow.draft), [workflow.draft])
  const name = graph.nodes.find(({ id }) => id === opened.nodeId)?.name
  return (
    <Dialog isOpen onClose={onClose} title={name ? words.titleOf(name) : words.title} width="wide">
      <TestForm workflow={workflow} graph={graph} onClose={onClose} {...opened} />
    </Dialog>
  )
}

/** State beyond the dialog: all input. */
interface TypedFields {
  triggerNodeId: string | null
  text: string
  values: Record<string, string>
  ways: Record<string, string>
}

/** The tested part of the draft, and the source of results. */
interface Scope {
  kind: Kind
  nodeId: string | null
  /** Iterations of the Loops around the step, from 0, by the Loop's id. */
  iterations: Readonly<Record<string, number>>
  fromRunId: IdText<WorkflowRunId> | null
  allowEffects: boolean
  usePins: boolean
}

function indexesIn(path: string): Record<string, number> {
  const found = [...path.matchAll(/([A-Za-z0-9_-]{1,64})\[(\d{1,9})\]/g)]
  return Object.fromEntries(found.map(([, loop = '', index]) => [loop, Number(index)]))
}

/** The Loops around a step, outermost first. */
function loopsAround(graph: Graph, nodeId: string | null): GraphNode[] {
  const byId = new Map(graph.nodes.map((node) => [node.id, node]))
  const found: GraphNode[] = []
  const seen = new Set<string>()
  for (let at = byId.get(nodeId ?? ''); at?.parentId; at = byId.get(at.parentId)) {
    const loop = byId.get(at.parentId)
    if (!loop || seen.has(loop.id)) break
    seen.add(loop.id)
    found.unshift(loop)
  }
  return found
}

const NOT_MISSING: TestRunPlan['missing'] = []

function TestForm({
  workflow,
  graph,
  kind,
  nodeId,
  path,
  fromRunId,
  payload: given,
  onClose,
}: TestDialogProps & { graph: Graph }) {
  const { workflowId } = workflow
  const session = useDraftSession(workflow)
  // The shown draft is tested, so it must be saved first.
  useEffect(() => session.flush(), [session])
  const isSaved = session.status === 'saved'
  const draftRevision = Math.max(workflow.draftRevision, session.revision)
  const { paths } = usePlace()
  const goTo = useGoTo()
  const offline = useSendingRefusal()
  const [scope, setScope] = useState<Scope>({
    ...{ kind, nodeId, fromRunId },
    iterations: indexesIn(path),
    allowEffects: false,
    usePins: true,
  })
  const sampled = useSampledGraph(workflowId, graph)
  const triggers = sampled.nodes.filter(({ type }) => TRIGGERS.includes(type))
  const first = firstTrigger(triggers)
  const isBody = readsBody(graph.nodes)
  const typed = useTypedForm<TypedFields>(
    given ? `test/${workflowId}/${given.callId}` : `test/${workflowId}`,
    {
      triggerNodeId: given?.triggerNodeId ?? first?.id ?? null,
      text: asJson(given ? given.value : first ? samplePayload(first, isBody) : {}),
      values: {},
      ways: {},
    },
  )
  const { text, values, ways } = typed.fields
  const hasPins = usePins(workflowId, graph).size > 0
  const trigger = triggers.find(({ id }) => id === typed.fields.triggerNodeId) ?? first
  const input = usePayloadInput(trigger, text, triggers)
  const loops = loopsAround(graph, scope.nodeId)
  const [asked, setAsked] = useState<readonly AskedStep[]>([])
  const isChosen = scope.kind === 'all' || scope.nodeId !== null
  const payload = scope.fromRunId === null ? input.payload : { value: undefined }
  const seeds = typedSeeds(asked, values, ways)
  const body: PlanTestBody | null =
    !isSaved || !isChosen || payload === null
      ? null
      : {
          draftRevision,
          scope: {
            kind: scope.kind,
            nodeId: scope.kind === 'all' ? null : scope.nodeId,
            path:
              scope.kind === 'all' || loops.length === 0
                ? null
                : loops.map(({ id }) => `${id}[${scope.iterations[id] ?? 0}]`).join('/'),
          },
          seeds: {
            ...(scope.fromRunId !== null && { fromRunId: scope.fromRunId }),
            ...(seeds.length > 0 && { values: seeds }),
            ...(scope.usePins && hasPins && { usePins: true }),
          },
          allowEffects: scope.allowEffects,
          ...(scope.fromRunId === null && {
            payload: payload.value,
            ...(trigger && triggers.length > 1 && { triggerNodeId: trigger.id }),
          }),
        }
  const { plan, failure, isPending } = useTestPlan(workflowId, body)
  // A required step stays in the form: with an entered value it is no longer missing.
  const missing = (plan?.missing ?? NOT_MISSING).filter(({ certain }) => certain).map((one) => one.nodeId)
  const known = new Set(asked.map(({ node }) => node.id))
  const more = missing.filter((id) => !known.has(id))
  // A plan of an earlier scope or source lacks results that are known by now.
  if (plan && !isPending && more.length > 0) {
    const executed = new Set([...plan.runs, ...plan.recomputed].map((step) => step.nodeId))
    setAsked([...asked, ...askedSteps(graph, more, executed)])
  }
  const lacking = untyped(asked, values, ways)
  const start = useChange('startTestRun', { refreshes: ['listRuns'] })
  const begin = async (cancelOldest: boolean) => {
    if (body === null) return
    const started = await start.run({
      params: { workflowId },
      body: { ...body, ...(cancelOldest && { cancelOldest }) },
    })
    if (!started) return
    typed.discard()
    goTo(withSearch(paths.workflow(workflowId), { view: 'map', run: started.answer.executionId }))
    // The dialog may have been opened by a URL: then there is no element to return the focus to.
    focusNext(pageHeading)
  }
  const isRefused = plan === null || plan.fault !== null || plan.findings.length > 0 || lacking.length > 0
  const isPayloadGood = scope.fromRunId !== null || input.problem === null
  const isReady = isSaved && !isPending && !isRefused && isPayloadGood && offline === null
  const reason = refusalOf({
    isSaved,
    isChosen,
    plan: isPending ? null : plan,
    problem: scope.fromRunId === null ? input.problem : null,
    lacking,
  })
  const changeScope = (part: Partial<Scope>) => {
    setAsked([])
    setScope({ ...scope, ...part })
  }
  return (
    <CommandEnter onEnter={() => isReady && !start.isPending && void begin(false)}>
      <p className={styles.muted}>{words.detail}</p>
      <RestoredNote typed={typed} />
      {!isSaved && <SaveState workflow={workflow} />}
      <div className={styles.rows} data-rows="">
        <RadioGroup
          label={words.scope}
          value={scope.kind}
          onChange={(next) => changeScope({ kind: next })}
          options={KINDS.map((id) => ({ id, label: words.scopes[id], detail: words.scopeDetails[id] }))}
        />
        {scope.kind !== 'all' && (
          <Select
            label={words.step}
            value={scope.nodeId}
            onChange={(next) => changeScope({ nodeId: next, iterations: {} })}
            options={graph.nodes
              .filter(({ type }) => NODE_TYPES.get(type)?.role !== 'note')
              .map(({ id, name }) => ({ id, label: name }))}
          />
        )}
        {scope.kind !== 'all' &&
          loops.map(({ id, name }) => (
            <NumberField
              key={id}
              label={words.iteration(name)}
              description={words.iterationDetail}
              value={(scope.iterations[id] ?? 0) + 1}
              minValue={1}
              maxValue={1_000}
              step={1}
              onChange={(next) => {
                if (next === null || !Number.isInteger(next) || next < 1) return
                changeScope({ iterations: { ...scope.iterations, [id]: next - 1 } })
              }}
            />
          ))}
        <SourceField
          workflowId={workflowId}
          value={scope.fromRunId}
          onChange={(next) => changeScope({ fromRunId: next })}
        />
        {scope.fromRunId === null && triggers.length > 1 && (
          <Select
            label={words.trigger}
            value={trigger?.id ?? null}
            onChange={(next) => {
              const chosen = triggers.find(({ id }) => id === next)
              // An entered payload applies to any selection.
              const isSample = trigger !== undefined && text === asJson(samplePayload(trigger, isBody))
              const sample = chosen && isSample ? { text: asJson(samplePayload(chosen, isBody)) } : {}
              typed.change({ triggerNodeId: next, ...sample })
            }}
            options={triggers.map(({ id, name }) => ({ id, label: name }))}
          />
        )}
        {hasPins && (
          <Toggle
            isSelected={scope.usePins}
            onChange={(isUsed) => changeScope({ usePins: isUsed })}
            description={pinWords.useDetail}
          >
            {pinWords.use}
          </Toggle>
        )}
        <Toggle
          isSelected={scope.allowEffects}
          onChange={(allowEffects) => setScope({ ...scope, allowEffects })}
          description={words.effectsDetail}
        >
          {words.effects}
        </Toggle>
      </div>
      {scope.fromRunId === null && (
        <PayloadInputField input={input} maxLines={10} onChange={(next) => typed.change({ text: next })} />
      )}
      {asked.some((step) => step.values.length > 0 || step.ways.length > 0) && (
        <Section title={words.values} detail={words.valuesDetail}>
          <div className={styles.rows} data-rows="">
            {asked.map((step) => (
              <StepValues
                key={step.node.id}
                step={step}
                values={values}
                way={ways[step.node.id] ?? null}
                onType={(key, value) => typed.change({ values: { ...values, [key]: value } })}
                onWay={(way) => typed.change({ ways: { ...ways, [step.node.id]: way } })}
              />
            ))}
          </div>
        </Section>
      )}
      <Section title={words.plan}>
        <div role="status" aria-live="polite">
          {isPending && plan === null && isChosen && <Skeleton lines={3} />}
          {plan && (
            <TestPlanView
              plan={plan}
              graph={graph}
              onTakeWay={(id, way) => typed.change({ ways: { ...ways, [id]: way } })}
            />
          )}
        </div>
        {plan?.forced
          .filter((one) => !known.has(one.nodeId))
          .map(({ nodeId: id, handles: [way = ''] }) => {
            const name = graph.nodes.find((node) => node.id === id)?.name ?? id
            const { [id]: _taken, ...others } = ways
            return (
              <Button key={id} size="small" onPress={() => typed.change({ ways: others })}>
                {words.undoWay(name, HANDLE_WORDS[way] ?? way)}
              </Button>
            )
          })}
      </Section>
      <FailurePanel title={words.planFailed} failure={failure} />
      <FailurePanel title={words.failed} failure={start.failure} />
      <DialogActions missing={reason} onCancel={onClose}>
        {start.failure?.code === 'too_many_tests' && (
          <SendButton isPending={start.isPending} onPress={() => void begin(true)}>
            {words.cancelOldest}
          </SendButton>
        )}
        <SendButton
          emphasis="primary"
          isPending={start.isPending}
          isDisabled={!isReady}
          onPress={() => void begin(false)}
        >
          {words.action}
        </SendButton>
      </DialogActions>
    </CommandEnter>
  )
}

interface Refusable {
  isSaved: boolean
  isChosen: boolean
  /** null: not known for the present form. */
  plan: TestRunPlan | null
  /** The fault of the payload. */
  problem: string | null
  /** The labels of values that are not entered. */
  lacking: readonly string[]
}

/** Why a test cannot start, as a sentence beside its button; null: it can, or its plan is loading. */
function refusalOf({ isSaved, isChosen, plan, problem, lacking }: Refusable): string | null {
  if (!isSaved) return words.unsaved
  if (!isChosen) return words.noStep
  if (problem !== null) return problem
  if (plan?.fault) return plan.fault
  if (plan !== null && plan.findings.length > 0) return words.stoppedBy(plan.findings.length)
  return lacking.length > 0 ? words.untyped(lacking) : null
}

interface SourceFieldProps {
  workflowId: IdText<WorkflowId>
  value: string | null
  onChange(runId: IdText<WorkflowRunId> | null): void
}

/** Selects among the newest runs, including the run that the dialog was opened with. */
function SourceField({ workflowId, value, onChange }: SourceFieldProps) {
  const runs = useOperation('listRuns', {
    query: { kind: 'workflow', entityId: workflowId, limit: NEWEST_RUNS },
  })
  const listed = runs.data?.data ?? []
  const options = [
    { id: NO_SOURCE, label: words.noSource },
    ...listed.map(({ runId, createdAt, status }) => ({
      id: runId,
      label: words.aSource(relativeTime(createdAt, serverNow()), runWords.statuses[status]),
    })),
    ...(value !== null && !listed.some(({ runId }) => runId === value)
      ? [{ id: value, label: words.otherSource }]
      : []),
  ]
  return (
    <Select
      label={words.source}
      options={options}
      value={value ?? NO_SOURCE}
      onChange={(id) => onChange(id === NO_SOURCE ? null : id)}
    />
  )
}

interface StepValuesProps {
  step: AskedStep
  values: Readonly<Record<string, string>>
  way: string | null
  onType(key: string, value: string): void
  onWay(way: string): void
}

function StepValues({ step, values, way, onType, onWay }: StepValuesProps) {
  return (
    <>
      {step.values.map(({ key, label }) => (
        <TextField
          key={key}
          label={label}
          description={step.node.name}
          isMono
          value={values[key] ?? ''}
          onChange={(value) => onType(key, value)}
        />
      ))}
      {step.ways.length > 0 && (
        <Select
          label={words.way(step.node.name)}
          value={way}
          onChange={onWay}
          options={step.ways.map((id) => ({ id, label: HANDLE_WORDS[id] ?? id }))}
        />
      )}
    </>
  )
}
