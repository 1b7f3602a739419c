import type { Graph } from '@troupe/graph'

/** The products whose exports are read. */
export type SourceFormat = 'n8n' | 'dify'

/**
 * What became of one node of the export. `step`: a step does the same. `stand_in`: a step keeps the place in the flow, its Note says what
 * was there, and runs fail at it until it is replaced. `note`: a Note without a place in the flow. `part`: a setting of another node, such
 * as its model or its tools.
 */
export type ImportOutcome = 'step' | 'stand_in' | 'note' | 'part'

/** One node of the export, in the order of the export. */
export interface ImportRow {
  /** Its name in the export. */
  name: string
  /** Its type in the export. */
  type: string
  outcome: ImportOutcome
  /** The steps and Notes that it became. A part has those of the node that it belongs to, which may be none. */
  nodeIds: string[]
  /** What differs, in sentences. */
  remarks: string[]
}

/** A connection of the export that the draft does not have. */
export interface LostConnection {
  from: string
  to: string
  reason: string
}

/** Something that a person has to choose, because exports do not bring it. */
export interface ImportChoice {
  kind: 'agent' | 'model' | 'credential'
  /** The step that needs it; null when a stand-in will be replaced. */
  nodeId: string | null
  /** The name of the node in the export. */
  name: string
  detail: string
}

/** Everything that a person should know before the draft is made. */
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

/** An import, or one sentence about why there is none. */
export type Imported = { ok: true; value: ImportedWorkflow } | { ok: false; fault: string }
