import type { Scope } from '@troupe/agents/ports'
import { DomainError, type FieldError, type ProjectId, type WorkflowFinding } from '@troupe/contract'
import { type Graph, type GraphProblem, parseGraph, referencesOf, validateGraphInSteps } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import type { Readers, WorkflowResource } from '@troupe/storage'
import { inSlices } from './in-slices.ts'
import { lookUpResources, resourcesOf } from './look-up-resources.ts'
import { unaskedApprovals } from './unasked-approvals.ts'

/** A graph with all its findings. */
export interface CheckedGraph {
  /** null if its shape is invalid. */
  graph: Graph | null
  findings: WorkflowFinding[]
  /** The external resources that the graph references. */
  resources: WorkflowResource[]
}

/** Validates the draft of a workflow, including the current state of all resources it references. */
export async function checkGraph(
  read: Pick<Readers, 'agents' | 'teams' | 'llmConfigurations'>,
  scope: Scope,
  workflow: { projectId: ProjectId | null; draft: unknown },
): Promise<CheckedGraph> {
  const parsed = parseGraph(workflow.draft)
  // A malformed graph is refused before its references are looked up.
  if (!parsed.ok) {
    const validated = await inSlices(validateGraphInSteps(workflow.draft, NODE_TYPES))
    return { ...presented(validated), resources: [] }
  }
  const references = referencesOf(parsed.value.nodes, NODE_TYPES)
  const lookup = await lookUpResources(read, scope, workflow, references)
  const validated = await inSlices(validateGraphInSteps(parsed.value, NODE_TYPES, lookup))
  const found = presented(validated)
  const unasked = found.graph ? await unaskedApprovals(read, scope.organizationId, found.graph) : []
  return { graph: found.graph, findings: [...found.findings, ...unasked], resources: resourcesOf(references) }
}

function presented({ graph, problems }: { graph: Graph | null; problems: readonly GraphProblem[] }) {
  return { graph, findings: problems.map((problem): WorkflowFinding => ({ ...problem })) }
}

/**
 * The graph, if it can be published.
 *
 * @throws DomainError `validation_error` listing every error
 */
export function requirePublishable({ graph, findings }: CheckedGraph): Graph {
  const errors: FieldError[] = findings
    .filter(({ severity }) => severity === 'block')
    .map(({ path, message }) => ({ path, message }))
  if (graph === null || errors.length > 0) {
    throw new DomainError('validation_error', 'The workflow cannot be published.', { errors })
  }
  return graph
}
