import { parseJson } from '@troupe/contract'
import { repairedSchema } from './repaired-schema.ts'
import { schemaFaults } from './schema-faults.ts'

/** Maximum characters of a JSON answer. */
const MAX_JSON = 256 * 1024
const FENCE = '```'

/** The contents of a code fence that spans the full text; any other text unchanged. */
function withoutFence(text: string): string {
  if (!text.startsWith(FENCE) || !text.endsWith(FENCE) || text.length < 2 * FENCE.length) return text
  const firstLine = text.indexOf('\n')
  const language = text.slice(FENCE.length, firstLine).trim()
  return firstLine === -1 || !/^[a-z]*$/i.test(language) ? text : text.slice(firstLine + 1, -FENCE.length)
}

/** Parses a model's JSON, with or without a code fence; undefined for invalid JSON, or when it exceeds the limits. */
export function parseAnswer(text: string): unknown {
  const parsed = parseJson(withoutFence(text.trim()))
  return parsed.ok ? parsed.value : undefined
}

/** The JSON of an answer, or a short reason that it is invalid. */
export type ReadAnswer = { ok: true; value: unknown } | { ok: false; problem: string }

/** Parses an answer that must be JSON of a schema, with or without a code fence. */
export function readAnswer(text: string, schema: Record<string, unknown>): ReadAnswer {
  if (text.length > MAX_JSON) {
    return { ok: false, problem: `it has ${text.length} characters, more than the ${MAX_JSON} of JSON` }
  }
  const parsed = parseJson(withoutFence(text.trim()), undefined, 'refuse')
  if (!parsed.ok) {
    return { ok: false, problem: parsed.excess === null ? 'it is not JSON' : `it has ${parsed.excess}` }
  }
  // In the form in which the schema is sent.
  const repaired = repairedSchema(schema, 'answer')
  const faults = schemaFaults(repaired.ok ? repaired.schema : schema, parsed.value)
  return faults.length === 0 ? { ok: true, value: parsed.value } : { ok: false, problem: faults.join('; ') }
}

/** A request for an answer in JSON, and the check of that answer. */
export interface JsonAnswer {
  schema: Record<string, unknown>
  /** A short reason that a text is not such JSON; null when it is. Never throws. */
  problemOf(text: string): string | null
}

/** Requests JSON of a schema that `schemaProblems` accepts. */
export function jsonAnswer(schema: Record<string, unknown>): JsonAnswer {
  return {
    schema,
    problemOf(text) {
      const answer = readAnswer(text, schema)
      return answer.ok ? null : answer.problem
    },
  }
}
