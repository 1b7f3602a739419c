import { readAnswer } from '@troupe/json-schema'
import { NodeFailure, type NodeTrace } from '@troupe/workflows/ports'

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
  const answer = readAnswer(text, schema)
  if (answer.ok) return answer.value
  throw new NodeFailure(`the answer does not follow the output schema: ${answer.problem}`, trace)
}
