import { isAncestor, standpoint } from '../compile/ancestors.ts'
import type { CompiledGraph, FlowNode } from '../compile/compiled-graph.ts'
import type { FormFiles, Found, InterpolationScope } from '../interpolation/interpolation-scope.ts'
import { locate } from './apply-result.ts'
import { loopValues } from './frame.ts'
import type { Activation, Frame, RunState } from './run-state.ts'

function upstream(run: RunState, frame: Frame, node: FlowNode, nodeId: string): Found {
  const candidate = run.graph.nodes.get(nodeId)
  if (!candidate) return { ok: false, reason: `there is no step ${nodeId}` }
  const from = standpoint(candidate, node)
  if (!from || !isAncestor(candidate, from)) {
    return { ok: false, reason: `${nodeId} does not come before ${node.id}` }
  }
  let at: Frame | null = frame
  while (at && at.level !== candidate.level) at = at.parent
  if (at?.status[candidate.slot] === 'completed') return { ok: true, value: at.outputs[candidate.slot] }
  return {
    ok: false,
    reason: `${nodeId} ${at?.status[candidate.slot] === 'skipped' ? 'was skipped' : 'has no output'}`,
  }
}

const formFiles = new WeakMap<CompiledGraph, FormFiles>()

/** Derived once per graph, because a step in a Loop requests it for each iteration. */
function formFilesOf(graph: CompiledGraph): FormFiles {
  const known = formFiles.get(graph)
  if (known) return known
  const forms = graph.triggers.filter(({ facts }) => facts.answers !== undefined)
  const answers = forms.flatMap(({ facts, config }) => facts.answers?.(config) ?? [])
  const found = {
    answers: new Set(answers.map(({ name }) => name)),
    fields: new Set(answers.filter(({ isFile }) => isFile).map(({ name }) => name)),
    triggers: new Set(forms.map(({ id }) => id)),
  }
  formFiles.set(graph, found)
  return found
}

/**
 * The values of a node's tokens: the trigger, the outputs of earlier nodes in its frame and the enclosing frames, the
 * current variables, and the innermost Loop (for the condition of a Loop, that Loop itself). Throws a `RangeError` when
 * the node's frame is no longer live.
 */
export function scopeAt(run: RunState, activation: Activation): InterpolationScope {
  const { frame, node } = locate(run, activation.path, activation.nodeId)
  const around = frame.level.loop
  const loop =
    activation.iteration !== null
      ? loopValues(frame, node, activation.iteration)
      : around && frame.parent && loopValues(frame.parent, around, frame.index)
  return {
    trigger: run.trigger,
    upstream: (nodeId) => upstream(run, frame, node, nodeId),
    variables: run.variables,
    loop: loop ?? null,
    formFiles: formFilesOf(run.graph),
  }
}
