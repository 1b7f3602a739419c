import { NodeFailure, type NodeTrace } from '@troupe/runtime/ports'
import { schemaFaults } from '../definition/output-schema.ts'

const FENCED = /^```[a-z]*\s*\n([\s\S]*?)\n?\s*```$/i

/** Reads JSON that a model wrote, in a code fence or without; undefined when it is none. */
export function parseReply(text: string): unknown {
  const trimmed = text.trim()
  try {
    return JSON.parse(FENCED.exec(trimmed)?.[1] ?? trimmed)
  } catch {
    return undefined
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
  const value = parseReply(text)
  if (value === undefined) throw new NodeFailure('the answer is not JSON', trace)
  const faults = schemaFaults(schema, value)
  if (faults.length === 0) return value
  throw new NodeFailure(`the answer does not follow the output schema: ${faults.join('; ')}`, trace)
}
