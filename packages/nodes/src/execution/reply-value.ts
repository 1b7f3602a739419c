import type { RequestedOutput } from '@troupe/agents/ports'
import { NodeFailure, type NodeTrace } from '@troupe/workflows/ports'
import { schemaFaults } from '../definition/output-schema.ts'

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

/** Parses a model's JSON, with or without a code fence; undefined when it is not JSON. */
export function parseReply(text: string): unknown {
  try {
    return JSON.parse(withoutFence(text.trim()))
  } catch {
    return undefined
  }
}

type Reading = { ok: true; value: unknown } | { ok: false; problem: string }

function read(text: string, schema: Record<string, unknown>): Reading {
  if (text.length > MAX_JSON) {
    return { ok: false, problem: `it has ${text.length} characters, more than the ${MAX_JSON} of JSON` }
  }
  const value = parseReply(text)
  if (value === undefined) return { ok: false, problem: 'it is not JSON' }
  const faults = schemaFaults(schema, value)
  return faults.length === 0 ? { ok: true, value } : { ok: false, problem: faults.join('; ') }
}

/** The output format requested from an agent that must answer in JSON. */
export function requestedOutput(schema: Record<string, unknown>): RequestedOutput {
  return {
    schema,
    problemOf(text) {
      const reading = read(text, schema)
      return reading.ok ? null : reading.problem
    },
  }
}

/**
 * The output of a node from its answer: the text, or with a schema the JSON in it. Throws a NodeFailure, which can be
 * retried, for an answer that does not match the schema: a model may answer differently next time.
 */
export function replyValue(
  text: string,
  schema: Record<string, unknown> | null,
  trace: Partial<NodeTrace>,
): unknown {
  if (schema === null) return text
  const reading = read(text, schema)
  if (reading.ok) return reading.value
  throw new NodeFailure(`the answer does not follow the output schema: ${reading.problem}`, trace)
}
