import { shortened } from '@troupe/contract'
import type { GraphNode } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { plainText } from '../markdown/plain-text.ts'
import { type SettingValue, settingsOf } from './node-settings.ts'

const MOST_LETTERS = 80

/** By step: a list renders often, and its steps stay the same objects until they change. */
const known = new WeakMap<GraphNode, string | null>()

/** The first text or line that was set for a step, in one line; null: nothing was set. */
export function stepSummary(node: GraphNode): string | null {
  const found = known.get(node)
  if (found !== undefined) return found
  const summary = summaryOf(node)
  known.set(node, summary)
  return summary
}

function summaryOf({ type, config }: GraphNode): string | null {
  for (const { isDefault, isAdvanced, value } of settingsOf(NODE_TYPES.get(type)?.schema ?? {}, config)) {
    if (isDefault || isAdvanced) continue
    const line = textOf(value).replaceAll(/\s+/g, ' ').trim()
    if (line !== '') return shortened(line, MOST_LETTERS)
  }
  return null
}

function textOf(value: SettingValue): string {
  if (value.kind === 'lines') return value.lines.join(', ')
  if (value.kind !== 'text') return ''
  return value.isMarkdown ? plainText(value.text) : value.text
}
