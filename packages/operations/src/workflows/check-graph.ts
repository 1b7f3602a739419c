import type { Scope } from '@troupe/agents/ports'
import { DomainError, type FieldError, type ProjectId, type WorkflowFinding } from '@troupe/contract'
import type { Readers, WorkflowResource } from '@troupe/database'
import { type Graph, type GraphProblem, parseGraph, referencesOf, validateGraph } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { lookUpResources, resourcesOf } from './look-up-resources.ts'

/** A graph with everything that was found in it. */
export interface CheckedGraph {
  /** null when its shape is wrong. */
  graph: Graph | null
  findings: WorkflowFinding[]
  /** What the graph names outside of itself. */
  resources: WorkflowResource[]
}

/** Finds everything that is wrong with the draft of a workflow, with what has become of all that it names. */
export async function checkGraph(
  read: Pick<Readers, 'agents' | 'teams' | 'llmConfigurations'>,
  scope: Scope,
  workflow: { projectId: ProjectId | null; draft: unknown },
): Promise<CheckedGraph> {
  const parsed = parseGraph(workflow.draft)
  // A graph of the wrong shape is refused for that; nobody needs to know what it names.
  if (!parsed.ok) return { ...presented(validateGraph(workflow.draft, NODE_TYPES)), resources: [] }
  const references = referencesOf(parsed.value.nodes, NODE_TYPES)
  const lookup = await lookUpResources(read, scope, workflow, references)
  const validated = validateGraph(parsed.value, NODE_TYPES, lookup)
  return { ...presented(validated), resources: resourcesOf(references) }
}

function presented({ graph, problems }: { graph: Graph | null; problems: readonly GraphProblem[] }) {
  return { graph, findings: problems.map((problem): WorkflowFinding => ({ ...problem })) }
}

/**
 * The graph, if nothing keeps it from being published.
 *
 * @throws DomainError `validation_error` with everything that does
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
