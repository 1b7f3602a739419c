import { type IdText, isJsonObject, type WorkflowRunId } from '@troupe/contract'
import type { BuilderWorkflow, RunDetail, TracedNode } from '@troupe/contract/builder'
import type { KnownToken } from '@troupe/editor/tokens/known-tokens'
import { inIteration } from '@troupe/editor/tokens/loop-sample'
import { type PinnedOutput, withPins } from '@troupe/editor/tokens/pinned-sample'
import type { RunSample } from '@troupe/editor/tokens/run-sample'
import type { Graph, GraphNode } from '@troupe/graph'
import { readsBody } from '@troupe/nodes/call-input'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { sampleFields, samplePayload } from '@troupe/nodes/sample-payload'
import { useEffect, useMemo, useState } from 'react'
import { ownRow, sampleRows } from '../../../core/workflows/sample-rows.ts'
import { asCallFailure, type CallFailure } from '../../../infrastructure/client/call-failure.ts'
import { callOperation } from '../../../infrastructure/client/call-operation.ts'
import { useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { firstTrigger, TRIGGERS } from '../parts/trigger-payload.ts'

const NEWEST_RUNS = 20
/** Replaces the id of a run: the sample values of the trigger, and the pins of the draft. */
export const OF_DRAFT = 'draft'
/** Maximum concurrent requests. */
const AT_ONCE = 4

/** The runs with available values, and the values of the selected one. */
export interface ChosenSample {
  runs: readonly RunChoice[]
  /** Whether the draft has sample values or pins, which are selected by `OF_DRAFT`. */
  hasDraftValues: boolean
  /** null: no run. */
  runId: IdText<WorkflowRunId> | null
  /** null: no run. */
  choose(runId: IdText<WorkflowRunId> | null): void
  run: RunDetail | undefined
  /** null: no run is selected, it was erased, or its values are being loaded. */
  sample: RunSample | null
  /** The row of the step itself. */
  own: TracedNode | null
  isLoading: boolean
  failure: CallFailure | null
}

interface RunChoice {
  runId: IdText<WorkflowRunId>
  createdAt: number
  status: RunDetail['status']
  isTest: boolean
}

/**
 * The values that a step could read in a past run or test of its workflow: by default the newest one. Before the first run they come from
 * the trigger's sample. A step without a value has its pinned one.
 *
 * @param graph with the sample values of its triggers
 */
export function useRunSample(
  { workflowId }: BuilderWorkflow,
  graph: Graph,
  node: GraphNode,
  tokens: readonly KnownToken[],
): ChosenSample {
  const [chosen, choose] = useState<string | null>()
  const listed = useOperation('listRuns', {
    query: { kind: 'workflow', entityId: workflowId, limit: NEWEST_RUNS },
  })
  const runs = listed.data?.data ?? NO_RUNS
  const pins = useOperation('listPins', { params: { workflowId } }).data?.data ?? NO_PINS
  const ofDraft = useMemo(() => {
    const values = withPins(sampleOfTrigger(graph) ?? NO_SAMPLE, pins, graph, tokens)
    return values === NO_SAMPLE ? null : inIteration(values, graph, node, '')
  }, [graph, pins, node, tokens])
  const first = listed.data === undefined ? null : (runs[0]?.runId ?? (ofDraft && OF_DRAFT))
  const source = chosen === undefined ? first : chosen
  const isOfDraft = source === OF_DRAFT
  const runId = isOfDraft ? null : source
  const asked = useOperation(
    'getRun',
    { params: { runId: runId ?? '' } },
    { isEnabled: runId !== null, keepsFormer: false },
  )
  const run = runId === null ? undefined : asked.data
  const rows = run?.workflowRun?.traceErased === false ? run.workflowRun.nodes : NO_ROWS
  const wanted = useMemo(() => sampleRows(graph, node, tokens, rows), [graph, node, tokens, rows])
  const { values, failure, isLoading } = useRowValues(runId, wanted)
  const own = useMemo(() => ownRow(node.id, rows), [node.id, rows])
  const sample = useMemo(
    () =>
      inIteration(
        withPins(sampleOf(graph, wanted, values), pins, graph, tokens),
        ...([graph, node, own?.path ?? ''] as const),
      ),
    [graph, wanted, values, pins, tokens, node, own],
  )
  const ofRun = run === undefined || isLoading || rows.length === 0 ? null : sample
  const shown = isOfDraft ? ofDraft : ofRun
  const isWaiting = listed.isLoading || (runId !== null && asked.isLoading) || isLoading
  const refused = listed.failure ?? asked.failure ?? failure
  // The same object while its content is unchanged: its views do not rerender for a key in another field.
  return useMemo(
    () => ({
      ...{ runs, hasDraftValues: ofDraft !== null, runId: isOfDraft ? OF_DRAFT : runId, choose, run },
      ...{ sample: shown, own, isLoading: isWaiting, failure: refused },
    }),
    [runs, ofDraft, isOfDraft, runId, run, shown, own, isWaiting, refused],
  )
}

/** The values from the first trigger with a sample, or with fields; null if there is none. */
function sampleOfTrigger({ nodes }: Graph): RunSample | null {
  const triggers = nodes.filter(
    (node) =>
      TRIGGERS.includes(node.type) && (isJsonObject(node.config.sample) || sampleFields(node).length > 0),
  )
  const trigger = firstTrigger(triggers)
  if (!trigger) return null
  const value = samplePayload(trigger, readsBody(nodes))
  return { trigger: value, outputs: new Map([[trigger.id, value]]), variables: new Map() }
}

const NO_RUNS: readonly RunChoice[] = []
const NO_PINS: readonly PinnedOutput[] = []
const NO_SAMPLE: RunSample = { outputs: new Map(), variables: new Map() }
const NO_ROWS: readonly TracedNode[] = []
const NO_VALUES: ReadonlyMap<string, unknown> = new Map()

interface RowValues {
  /** The outputs by the id of the step. */
  values: ReadonlyMap<string, unknown>
  failure: CallFailure | null
  isLoading: boolean
}

/** Loads the outputs of rows, with limited concurrency. */
function useRowValues(runId: IdText<WorkflowRunId> | null, rows: readonly TracedNode[]): RowValues {
  const { organizationId } = usePlace().membership
  const key = JSON.stringify(rows.map(({ nodeId, path }) => [nodeId, path]))
  const [state, setState] = useState<{
    key: string
    values: ReadonlyMap<string, unknown>
    failure: CallFailure | null
  }>()
  const wanted = `${runId} ${key}`
  useEffect(() => {
    if (runId === null) return
    const current = new AbortController()
    const { signal } = current
    const load = async () => {
      const values = new Map<string, unknown>()
      const places = JSON.parse(key) as [string, string][]
      let failure: CallFailure | null = null
      for (let from = 0; from < places.length && failure === null; from += AT_ONCE) {
        const some = places.slice(from, from + AT_ONCE).map(async ([nodeId, path]) => {
          const input = { params: { runId, nodeId }, query: path === '' ? {} : { path } }
          const { output } = await callOperation('getRunNode', organizationId, input, { signal })
          values.set(nodeId, output)
        })
        const [failed] = (await Promise.allSettled(some)).filter(({ status }) => status === 'rejected')
        if (signal.aborted) return
        if (failed?.status === 'rejected') failure = asCallFailure(failed.reason)
      }
      setState({ key: wanted, values, failure })
    }
    void load()
    return () => current.abort()
  }, [runId, key, wanted, organizationId])
  const isCurrent = state?.key === wanted
  return {
    values: isCurrent ? state.values : NO_VALUES,
    failure: isCurrent ? state.failure : null,
    isLoading: runId !== null && !isCurrent,
  }
}

function sampleOf(
  graph: Graph,
  rows: readonly TracedNode[],
  values: ReadonlyMap<string, unknown>,
): RunSample {
  const types = new Map(graph.nodes.map(({ id, type }) => [id, type]))
  const trigger = rows.find(({ nodeId }) => NODE_TYPES.get(types.get(nodeId) ?? '')?.role === 'trigger')
  const variables = new Map<string, unknown>()
  // In execution order: a later row overwrites an earlier one.
  for (const { nodeId } of rows.toSorted((one, other) => one.seq - other.seq)) {
    const output = values.get(nodeId)
    if (types.get(nodeId) !== 'variable' || !isJsonObject(output)) continue
    for (const [name, value] of Object.entries(output)) variables.set(name, value)
  }
  const isKnown = trigger !== undefined && values.has(trigger.nodeId)
  return { ...(isKnown && { trigger: values.get(trigger.nodeId) }), outputs: values, variables }
}
