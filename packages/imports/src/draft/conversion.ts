import type { NodeTypeName } from '@troupe/nodes/definitions'
import type { ImportChoice, ImportOutcome } from './report.ts'

/** A step that a node of the export becomes. */
export interface StepDraft {
  type: NodeTypeName
  /** Appended to the name of the node: `Switch: 2`; empty for the first one. */
  suffix?: string
  config: Record<string, unknown>
}

/** The way out of a step. */
export interface Exit {
  /** Index among the steps of the conversion. */
  step: number
  handle: string
}

/** Where the connections of each output leave. */
export type Exits = ReadonlyMap<string, readonly Exit[]>

/** What one node of an export becomes. */
export interface Conversion {
  outcome: ImportOutcome
  /** The first has the id that tokens name. */
  steps: StepDraft[]
  /** Edges among the steps. */
  inner?: { from: Exit; to: number }[]
  /** By output of the node: where its connections leave. An output without an entry loses its connections. */
  exits: Exits
  /** Why the connections of an output are lost. */
  lost?: ReadonlyMap<string, string>
  remarks: string[]
  choices: Omit<ImportChoice, 'nodeId' | 'name'>[]
  /** Markdown of a Note beside the step; null for none. */
  note: string | null
  /** Runs skip its steps. */
  isDisabled?: true
  /** The node whose setting this one is. */
  partOf?: string
  /** The node that this one was added for; it is part of that one's row in the report. */
  addedFor?: string
  /** The step that receives what leads to the node; the first one unless said. */
  entry?: number
}

/** The exits of a node with one output. */
export const oneExit = (port: string, handle = 'out'): Exits => new Map([[port, [{ step: 0, handle }]]])

/** A conversion into one step. */
export function oneStep(
  step: StepDraft,
  exits: Exits,
  rest: Partial<Pick<Conversion, 'remarks' | 'choices' | 'note' | 'lost' | 'outcome'>> = {},
): Conversion {
  return { outcome: 'step', steps: [step], exits, remarks: [], choices: [], note: null, ...rest }
}

/** A conversion into a Note without a place in the flow. */
export function onlyNote(note: string, remarks: string[] = []): Conversion {
  return { outcome: 'note', steps: [], exits: new Map(), remarks, choices: [], note }
}
