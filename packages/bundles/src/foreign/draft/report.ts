import type { Graph } from '@troupe/graph'

/** The products with supported exports. */
export type SourceFormat = 'n8n' | 'dify'

/**
 * The result for one node of the export. `step`: a step does the same. `stand_in`: a step keeps the place in the flow, its Note describes
 * the original, and runs fail at it until it is replaced. `note`: a Note without a place in the flow. `part`: a setting of another node,
 * such as its model or its tools.
 */
export type ImportOutcome = 'step' | 'stand_in' | 'note' | 'part'

/** One node of the export, in the order of the export. */
export interface ImportRow {
  /** Its name in the export. */
  name: string
  /** Its type in the export. */
  type: string
  outcome: ImportOutcome
  /** The steps and Notes of the node. A part has those of the node that it belongs to, possibly none. */
  nodeIds: string[]
  /** The differences, in sentences. */
  remarks: string[]
}

/** A connection of the export that the draft lacks. */
export interface LostConnection {
  from: string
  to: string
  reason: string
}

/** A choice for a person, because exports do not contain it. */
export interface ImportChoice {
  kind: 'agent' | 'model' | 'credential'
  /** The step that needs it; null when a stand-in will be replaced. */
  nodeId: string | null
  /** The name of the node in the export. */
  name: string
  detail: string
}

/** The information that a person needs before the draft is created. */
export interface ImportReport {
  rows: ImportRow[]
  connections: LostConnection[]
  choices: ImportChoice[]
  /** Sentences about the workflow as a whole. */
  remarks: string[]
}

/** A workflow of another product as a draft. */
export interface ImportedWorkflow {
  format: SourceFormat
  /** Its name in the export, 1 to 128 characters. */
  name: string
  graph: Graph
  report: ImportReport
}

/** An import, or one sentence with the reason for a refusal. */
export type Imported = { ok: true; value: ImportedWorkflow } | { ok: false; fault: string }
