import { isJsonObject } from '@troupe/contract'
import { readTypedJson } from '../forms/typed-json.ts'

/**
 * The kind of an imported text: a graph of ours, a text for the server (exports of other products, recognised by an allow-list), or
 * neither. `fault` is an error about a number that would lose digits, and null for invalid JSON.
 */
export type WorkflowFile =
  | { kind: 'graph'; draft: Record<string, unknown> }
  | { kind: 'foreign' }
  | { kind: 'unreadable'; fault: string | null }

/** Recognises a graph, or a whole workflow that has one as its draft. Every other object, and text that begins unlike JSON, is foreign. */
export function recogniseWorkflowFile(text: string): WorkflowFile {
  const read = readTypedJson(text)
  if (read.ok) {
    const draft = graphIn(read.value)
    return draft === null ? { kind: 'foreign' } : { kind: 'graph', draft }
  }
  if (read.fault === null) {
    return /^\s*[[{]/.test(text) ? { kind: 'unreadable', fault: null } : { kind: 'foreign' }
  }
  // Other products may keep digits that no double has, as ids: the server reads those as text.
  return graphIn(JSON.parse(text)) === null ? { kind: 'foreign' } : { kind: 'unreadable', fault: read.fault }
}

function graphIn(value: unknown): Record<string, unknown> | null {
  const graph = isJsonObject(value) && isJsonObject(value.draft) ? value.draft : value
  return isJsonObject(graph) && Array.isArray(graph.nodes) && Array.isArray(graph.edges) ? graph : null
}
