import type { ProjectId } from '@troupe/contract'
import { type GraphProblem, type ResourceReference, type ResourceState, validateGraph } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { agentState, mayUse, modelState } from '@troupe/operations/workflows/look-up-resources'
import type { WorkflowLookups } from '../resolve/lookups.ts'
import type { ResolvedGraph } from '../resolve/resolve-graph.ts'

/**
 * Every problem that prevents publishing a graph after the bundle is applied, with the paths and names of its
 * text. Warnings are left to the builder.
 */
export function blockingProblems(
  { graph, references, nobody }: ResolvedGraph,
  projectId: ProjectId | null,
  lookups: WorkflowLookups,
): { path: string; message: string }[] {
  const judge = (reference: ResourceReference) =>
    // A missing reference is reported where it is resolved.
    reference.id !== null && nobody.has(reference.id) ? USABLE : judgeReference(reference, projectId, lookups)

  const nodes = new Map(graph.nodes.map((node) => [node.id, node]))
  /** Why an existing target cannot be used; null for every other problem. */
  const reasonOf = ({ code, nodeId, path }: GraphProblem): string | null => {
    const node = nodeId === null ? undefined : nodes.get(nodeId)
    if (code !== 'missing_resource' || !node) return null
    const named = NODE_TYPES.get(node.type)?.references?.(node.config) ?? []
    const reference = named.find((one) => path.endsWith(`.config.${one.path}`))
    return reference ? judge(reference).reason : null
  }
  return validateGraph(graph, NODE_TYPES, (reference) => judge(reference).state)
    .problems.filter(({ severity }) => severity === 'block')
    .map((problem) => {
      const { path, text } = references.get(problem.path) ?? { path: problem.path, text: null }
      const reason = reasonOf(problem) ?? problem.message
      return { path, message: text === null ? reason : `${reason}: ${text}` }
    })
}

interface Judged {
  state: ResourceState
  reason: string | null
}

const USABLE: Judged = { state: 'usable', reason: null }

function judgeReference(
  { kind, id, model }: ResourceReference,
  projectId: ProjectId | null,
  { agent, team, llm, defaultLlm }: WorkflowLookups,
): Judged {
  if (id === null) {
    const byDefault = defaultLlm(projectId)
    return byDefault ? { state: modelState(byDefault, model?.id), reason: null } : USABLE
  }
  const target = { agent, team, llm_configuration: llm }[kind](id)
  // A target that itself has problems is reported at its own path.
  if (target === null) return USABLE
  if (target === undefined) return { state: 'missing', reason: null }
  if (!mayUse(projectId, target.projectId)) {
    return { state: 'missing', reason: 'belongs to another project than the workflow' }
  }
  if (!('status' in target)) return USABLE
  const { status } = target
  if (status === 'connected') {
    return 'models' in target ? { state: modelState(target, model?.id), reason: null } : USABLE
  }
  if (status === 'disconnected') return { state: 'missing', reason: 'is not connected' }
  return { state: agentState({ status }), reason: null }
}
