import type { RequestedOutput } from '@troupe/agents/ports'
import { NodeFailure, type NodeTrace } from '@troupe/workflows/ports'
import { schemaFaults } from '../definition/output-schema.ts'

/** Most characters of an answer in JSON. */
const MAX_JSON = 256 * 1024
const FENCE = '```'

/** What stands in a code fence that is the whole text; any other text as it is. */
function withoutFence(text: string): string {
  if (!text.startsWith(FENCE) || !text.endsWith(FENCE) || text.length < 2 * FENCE.length) return text
  const firstLine = text.indexOf('\n')
  const language = text.slice(FENCE.length, firstLine).trim()
  return firstLine === -1 || !/^[a-z]*$/i.test(language) ? text : text.slice(firstLine + 1, -FENCE.length)
}

/** Reads JSON that a model wrote, in a code fence or without; undefined when it is none. */
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

/** What an agent is asked for that must answer in JSON. */
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
 * The output of a node that got an answer: the text, or under a schema the JSON in it. Throws NodeFailure for an answer
 * that does not follow the schema: a model may answer differently next time.
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
