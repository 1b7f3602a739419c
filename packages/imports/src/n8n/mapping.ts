import type { Conversion } from '../draft/conversion.ts'
import type { N8nScope, OutputRule } from './n8n-scope.ts'
import type { N8nNode } from './read-n8n.ts'

/** What a conversion of one node reads. */
export interface N8nContext {
  scope: N8nScope
  /** Outputs of the node that have connections. */
  outputs: ReadonlySet<number>
  /** Nodes that are settings of this one, with the kind of their connection: `ai_tool`. */
  parts: readonly { kind: string; node: N8nNode }[]
  /** Of schedules. */
  timezone: string | null
}

/** A row of the table of what maps to what. */
export interface N8nMapping {
  types: readonly string[]
  /** What it becomes, for people. */
  becomes: string
  /** Where its parameters are documented: https://github.com/n8n-io/n8n/tree/master/<path>. */
  source: string
  /** The trigger that it becomes; there can be only one of most. */
  trigger?: 'manual-trigger' | 'http-request' | 'form-trigger' | 'recurrence'
  output: OutputRule
  /** null: with these parameters it has no counterpart. */
  convert(node: N8nNode, context: N8nContext): Conversion | null
}

/** The port of a main output. */
export const portOf = (output: number) => `main:${output}`
