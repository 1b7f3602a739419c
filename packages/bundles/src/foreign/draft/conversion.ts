import type { NodeTypeName } from '@troupe/nodes/definitions'
import type { ImportChoice, ImportOutcome } from './report.ts'

/** A step converted from a node of the export. */
export interface StepDraft {
  type: NodeTypeName
  /** Appended to the name of the node: `Switch: 2`; empty for the first one. */
  suffix?: string
  config: Record<string, unknown>
}

/** An outgoing handle of a step. */
export interface Exit {
  /** Index among the steps of the conversion. */
  step: number
  handle: string
}

/** The exits for the connections of each output. */
export type Exits = ReadonlyMap<string, readonly Exit[]>

/** The conversion of one node of the export. */
export interface Conversion {
  outcome: ImportOutcome
  /** The first has the id that tokens name. */
  steps: StepDraft[]
  /** Edges among the steps. */
  inner?: { from: Exit; to: number }[]
  /** By output of the node: the exits of its connections. The connections of an output without an entry are lost. */
  exits: Exits
  /** The reasons for lost connections, by output. */
  lost?: ReadonlyMap<string, string>
  remarks: string[]
  choices: Omit<ImportChoice, 'nodeId' | 'name'>[]
  /** Markdown of a Note beside the step; null for none. */
  note: string | null
  /** Whether its steps are skipped in runs. */
  isDisabled?: true
  /** The node of which this one is a setting. */
  partOf?: string
  /** The node for which this one was added; it is reported in that node's row. */
  addedFor?: string
  /** The step that receives the incoming connections of the node; the first one by default. */
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
