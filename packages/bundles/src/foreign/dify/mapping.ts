import type { Conversion } from '../draft/conversion.ts'
import type { DifyScope, FieldRule } from './dify-scope.ts'
import type { DifyApp, DifyNode } from './read-dify.ts'

/** The inputs for the conversion of one node. */
export interface DifyContext {
  app: DifyApp
  scope: DifyScope
  /** The handles of the node that have connections. */
  handles: ReadonlySet<string>
}

/** A row of the table of mappings. */
export interface DifyMapping {
  types: readonly string[]
  /** Shown to people: what a node of this type becomes. */
  becomes: string
  /** The documentation of its settings: a path in github.com/langgenius/dify. */
  source: string
  trigger?: 'http-request' | 'recurrence'
  isLoop?: true
  output: FieldRule
  /** null: no counterpart with these settings. */
  convert(node: DifyNode, context: DifyContext): Conversion | null
}

/** The handle of nodes with a single output. */
export const SOURCE = 'source'
