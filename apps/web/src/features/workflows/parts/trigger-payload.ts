import type { GraphNode } from '@troupe/graph'
import { readTypedJson } from '../../../core/forms/typed-json.ts'

/** The types of triggers, in the order in which the server picks one. */
export const TRIGGERS: readonly string[] = ['manual-trigger', 'http-request', 'form-trigger', 'recurrence']

/** As the server picks it: the first of manual, HTTP, form and recurrence. */
export function firstTrigger(triggers: readonly GraphNode[]): GraphNode | undefined {
  return [...triggers].sort((a, b) => TRIGGERS.indexOf(a.type) - TRIGGERS.indexOf(b.type))[0]
}

/** null: the text is no JSON. An empty text is an empty payload. */
export function readPayload(text: string): { value: unknown } | null {
  const read = text.trim() === '' ? ({ ok: true, value: {} } as const) : readTypedJson(text)
  return read.ok ? { value: read.value } : null
}
