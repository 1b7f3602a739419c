import { propertyOf } from '@troupe/contract'
import type { WorkflowRecord } from '@troupe/storage'
import { redact } from '../audit/redact.ts'

type Json = Record<string, unknown>

/** A workflow as recorded in the audit log, without its graph: versions keep graphs. */
export function auditedWorkflow(workflow: WorkflowRecord): Json {
  const { name, description, projectId, draftRevision, versionNumber, activeDeployment } = workflow
  return { name, description, projectId, draftRevision, versionNumber, published: activeDeployment !== null }
}

/**
 * Two states of a workflow for the audit log, with only the parts of the draft that differ: drafts may be megabytes and are
 * saved often. `before` is null for a new workflow.
 */
export function auditedChange(
  before: WorkflowRecord | null,
  after: WorkflowRecord,
): { before: Json | null; after: Json } {
  const earlier = partsOf(before?.draft)
  const later = partsOf(after.draft)
  return {
    before: before && { ...auditedWorkflow(before), draft: differing(earlier, later) },
    after: { ...auditedWorkflow(after), draft: differing(later, earlier) },
  }
}

interface Parts {
  nodes: ReadonlyMap<string, unknown>
  edges: ReadonlyMap<string, unknown>
  /** Where the workflow is exposed besides the API. */
  expose: unknown
}

/** The parts that are missing or different in another graph. */
function differing(graph: Parts, other: Parts): Json {
  const changed = (kind: 'nodes' | 'edges') =>
    [...graph[kind]].flatMap(([id, part]) =>
      JSON.stringify(part) === JSON.stringify(other[kind].get(id)) ? [] : [redact(part)],
    )
  return {
    ...{ nodes: changed('nodes'), edges: changed('edges') },
    ...(graph.expose === other.expose ? {} : { expose: graph.expose }),
  }
}

function partsOf(draft: unknown): Parts {
  const byId = (parts: unknown) =>
    new Map(
      (Array.isArray(parts) ? parts : []).map((part: unknown) => [String(propertyOf(part, 'id')), part]),
    )
  return {
    nodes: byId(propertyOf(draft, 'nodes')),
    edges: byId(propertyOf(draft, 'edges')),
    expose: propertyOf(draft, 'expose') ?? null,
  }
}
