import type { GraphNode } from '@troupe/graph'
import { readTypedJson } from '../../../core/forms/typed-json.ts'

/** The types of triggers, in the server's order of precedence. */
export const TRIGGERS: readonly string[] = ['manual-trigger', 'http-request', 'form-trigger', 'recurrence']

/** The server's choice: the first of manual, HTTP, form and recurrence. */
export function firstTrigger(triggers: readonly GraphNode[]): GraphNode | undefined {
  return [...triggers].sort((a, b) => TRIGGERS.indexOf(a.type) - TRIGGERS.indexOf(b.type))[0]
}

/** null: invalid JSON. An empty text is an empty payload. */
export function readPayload(text: string): { value: unknown } | null {
  const read = text.trim() === '' ? ({ ok: true, value: {} } as const) : readTypedJson(text)
  return read.ok ? { value: read.value } : null
}
