import { type InterpolationScope, resolveValue } from '@troupe/graph'
import { NodeFailure } from '@troupe/workflows/ports'

/** A row of a table of names and values. */
export interface Row {
  name: string
  value: unknown
  mode: 'expression' | 'fixed'
}

/** The value of a row: verbatim when fixed, else interpolated. A failure names the row. */
export function rowValue({ name, value, mode }: Row, scope: InterpolationScope): unknown {
  if (mode === 'fixed') return value
  const resolved = resolveValue(value, scope)
  if (resolved.ok) return resolved.value
  throw new NodeFailure(`row "${name}": ${resolved.error}`)
}
