import { isJsonObject, propertyOf } from '@troupe/contract'
import { isStrict } from './strict-schema.ts'

/** A request field that servers of OpenAI's protocols may not know. Without it, the request is less specific. */
export type RequestField =
  | 'stream_options'
  | 'parallel_tool_calls'
  | 'store'
  | 'strict'
  | 'json_schema'
  | 'json_object'

type Body = Record<string, unknown>

interface FieldRule {
  /** The error text of a server that refuses the field. */
  refusal: RegExp
  /** The body without the field; null if it has none. */
  without(body: Body): Body | null
}

/** In the order in which a refusal is attributed, narrower fields first. */
const RULES: Record<RequestField, FieldRule> = {
  // https://github.com/vllm-project/vllm and Mistral's previous API answer 422 to fields that they do not know.
  stream_options: {
    refusal: /stream_options|include_usage/i,
    without: ({ stream_options, ...rest }) => (stream_options === undefined ? null : rest),
  },
  parallel_tool_calls: {
    refusal: /parallel_tool_calls/i,
    without: ({ parallel_tool_calls, ...rest }) => (parallel_tool_calls === undefined ? null : rest),
  },
  // Sent as false to OpenAI, which stores by default. A server that does not know the field does not store anything
  // because of it.
  store: {
    refusal:
      /(unrecogni[sz]ed|unknown|unsupported|unexpected|extra)[^.]{0,80}\bstore\b|\bstore\b[^.]{0,80}(not (permitted|supported|allowed)|unrecogni[sz]ed|unknown|unsupported|unexpected)|body[."',\s]{1,5}store\b/i,
    without: ({ store, ...rest }) => (store === undefined ? null : rest),
  },
  // https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
  strict: {
    refusal:
      /\bstrict\b|'required' is required to be supplied|'additionalProperties' is required to be supplied/i,
    without: withoutStrict,
  },
  // https://console.groq.com/docs/structured-outputs: models without it answer 400.
  json_schema: { refusal: /json_schema|response[_ ]format|text\.format/i, without: withoutSchema },
  json_object: { refusal: /json_object|response[_ ]format|text\.format/i, without: withoutFormat },
}

const FIELDS = Object.keys(RULES) as RequestField[]

/** A body without these fields; the same object if it has none of them. */
export function withoutFields(body: Body, fields: Iterable<RequestField>): Body {
  let rest = body
  for (const field of fields) rest = RULES[field].without(rest) ?? rest
  return rest
}

/** The field of a body that an error text refuses; null if it names none of the body's fields. */
export function refusedField(error: string, body: Body): RequestField | null {
  return (
    FIELDS.find((field) => RULES[field].refusal.test(error) && RULES[field].without(body) !== null) ?? null
  )
}

/** A strict schema must require every property, so a schema with optional properties is sent without `strict`. */
export function withHonestStrictness(body: Body): Body {
  const { format, schema, strict } = formatOf(body)
  return format === null || strict !== true || isStrict(schema) ? body : (withoutFormatStrict(body) ?? body)
}

interface Format {
  format: unknown
  /** `json_schema`, `json_object`, … */
  type: unknown
  schema: unknown
  strict: unknown
}

/** The response format in either protocol. */
function formatOf(body: Body): Format {
  const chat = propertyOf(body, 'response_format')
  const format = chat ?? propertyOf(propertyOf(body, 'text'), 'format') ?? null
  const inner = chat === undefined ? format : propertyOf(chat, 'json_schema')
  return {
    format,
    type: propertyOf(format, 'type'),
    schema: propertyOf(inner, 'schema'),
    strict: propertyOf(inner, 'strict'),
  }
}

/** The body with another response format; null removes it. */
function withFormat(body: Body, format: Body | null): Body {
  if (body.response_format !== undefined) {
    const { response_format: _, ...rest } = body
    return format === null ? rest : { ...rest, response_format: format }
  }
  const { format: _, ...text } = body.text as Body
  return { ...body, text: format === null ? text : { ...text, format } }
}

function withoutFormatStrict(body: Body): Body | null {
  const { format, strict } = formatOf(body)
  if (strict !== true || !isJsonObject(format)) return null
  const inner = format.json_schema
  return withFormat(
    body,
    isJsonObject(inner)
      ? { ...format, json_schema: { ...inner, strict: false } }
      : { ...format, strict: false },
  )
}

function withoutStrict(body: Body): Body | null {
  const lenient = withoutFormatStrict(body)
  const tools = Array.isArray(body.tools) ? body.tools.map(withoutToolStrict) : []
  const hasStrictTool = tools.some((tool) => tool !== null)
  if (lenient === null && !hasStrictTool) return null
  const rest = lenient ?? body
  if (!hasStrictTool) return rest
  return { ...rest, tools: tools.map((tool, index) => tool ?? (body.tools as unknown[])[index]) }
}

function withoutToolStrict(tool: unknown): Body | null {
  if (!isJsonObject(tool)) return null
  const { strict, function: inner, ...rest } = tool
  if (isJsonObject(inner) && inner.strict !== undefined) {
    const { strict: _, ...own } = inner
    return { ...rest, function: own }
  }
  return strict === undefined ? null : { ...rest, ...(inner === undefined ? {} : { function: inner }) }
}

function withoutSchema(body: Body): Body | null {
  const { type, schema } = formatOf(body)
  if (type !== 'json_schema') return null
  return withFormat(withSchemaInWords(body, schema), { type: 'json_object' })
}

function withoutFormat(body: Body): Body | null {
  return formatOf(body).type === 'json_object' ? withFormat(body, null) : null
}

/**
 * Requirements that the response format no longer states are added to the instructions, unless they are already there.
 */
function withSchemaInWords(body: Body, schema: unknown): Body {
  const name = Array.isArray(body.messages) ? 'messages' : 'input'
  const messages = body[name]
  if (!Array.isArray(messages) || JSON.stringify(messages).includes('JSON Schema')) return body
  const content = `Answer with JSON that follows this JSON Schema, and nothing else:\n${JSON.stringify(schema ?? {})}`
  return { ...body, [name]: [{ role: 'system', content }, ...messages] }
}
