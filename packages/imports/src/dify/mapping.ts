import type { Conversion } from '../draft/conversion.ts'
import type { DifyScope, FieldRule } from './dify-scope.ts'
import type { DifyApp, DifyNode } from './read-dify.ts'

/** What a conversion of one node reads. */
export interface DifyContext {
  app: DifyApp
  scope: DifyScope
  /** The handles of the node that have connections. */
  handles: ReadonlySet<string>
}

/** A row of the table of what maps to what. */
export interface DifyMapping {
  types: readonly string[]
  /** What it becomes, for people. */
  becomes: string
  /** Where its settings are documented: a path in github.com/langgenius/dify. */
  source: string
  trigger?: 'http-request' | 'recurrence'
  isLoop?: true
  output: FieldRule
  /** null: with these settings it has no counterpart. */
  convert(node: DifyNode, context: DifyContext): Conversion | null
}

/** The handle of nodes with one output. */
export const SOURCE = 'source'
