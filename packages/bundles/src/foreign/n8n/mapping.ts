import type { Conversion } from '../draft/conversion.ts'
import type { N8nScope, OutputRule } from './n8n-scope.ts'
import type { N8nNode } from './read-n8n.ts'

/** The inputs for the conversion of one node. */
export interface N8nContext {
  scope: N8nScope
  /** Outputs of the node that have connections. */
  outputs: ReadonlySet<number>
  /** Nodes that are settings of this one, with the kind of their connection: `ai_tool`. */
  parts: readonly { kind: string; node: N8nNode }[]
  /** The time zone of schedules. */
  timezone: string | null
}

/** A row of the table of mappings. */
export interface N8nMapping {
  types: readonly string[]
  /** Shown to people: what a node of this type becomes. */
  becomes: string
  /** The documentation of its parameters: https://github.com/n8n-io/n8n/tree/master/<path>. */
  source: string
  /** The resulting trigger; a workflow can have only one of most types. */
  trigger?: 'manual-trigger' | 'http-request' | 'form-trigger' | 'recurrence'
  output: OutputRule
  /** null: no counterpart with these parameters. */
  convert(node: N8nNode, context: N8nContext): Conversion | null
}

/** The port of a main output. */
export const portOf = (output: number) => `main:${output}`
