import type { Imported } from './draft/report.ts'
import { importWorkflow } from './import-workflow.ts'
import { parseForeign } from './parse-foreign.ts'

/** The export of another product as a draft, or one sentence with the reason for a refusal. */
export function readForeign({ text }: { text: string }): Imported {
  const parsed = parseForeign(text)
  return parsed.ok ? importWorkflow(parsed.value) : parsed
}
