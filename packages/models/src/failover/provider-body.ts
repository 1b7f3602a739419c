import { isJsonObject, JSON_BUDGET, parseJson, propertyOf } from '@troupe/contract'

/** The facts found in a provider's error body, in order of occurrence. */
export interface BodyFacts {
  /** Codes, types, reasons and quota names. */
  labels: string[]
  /** Sentences. */
  sentences: string[]
  /** Request fields named by the provider: `temperature`, `body.tools.0`. */
  parameters: string[]
  /** Values of fields such as `retryDelay`: a text (`34.4s`), or a number of seconds or, with `ms` in its name, of milliseconds. */
  waits: { name: string; value: string | number }[]
  /** Headers of an upstream provider, which a gateway repeats in its body. */
  headers: Record<string, string>
  /** HTTP status codes. */
  statuses: number[]
}

/** Budgets: a body of any size and shape is read within them. */
const MAX_TEXT = 64 * 1024
const MAX_VALUES = 200
const MAX_DEPTH = 8
const MAX_ITEMS = 20
const MAX_SENTENCE = 4_000
const MAX_LABEL = 200
const MAX_LISTED = 40

const LABELS = new Set([
  ...['code', 'type', '__type', 'status', 'reason', 'error_code', 'error_type', 'errorcode', 'errortype'],
  ...['statuscode', 'status_code', 'quotaid', 'quotametric'],
])
const SENTENCES = new Set([
  ...['message', 'msg', 'detail', 'error', 'error_description', 'error_message', 'errormessage', 'error_msg'],
  ...['title', 'description', 'raw'],
])
const PARAMETERS = new Set(['param', 'loc', 'field', 'property', 'parameter'])
const WAITS = new Set(['retrydelay', 'retry_after', 'retryafter', 'retry_after_ms', 'retry_after_seconds'])
/** Fields that may contain more of the error. Other fields may repeat the request, so they are not read. */
const INNER = new Set([
  ...['error', 'errors', 'detail', 'details', 'message', 'metadata', 'raw', 'violations', 'fieldviolations'],
  ...['data', 'response', 'innererror', 'inner_error', 'body', 'cause', 'value'],
])

/** No facts. */
export function noBodyFacts(): BodyFacts {
  return { labels: [], sentences: [], parameters: [], waits: [], headers: {}, statuses: [] }
}

/** Adds the facts of a body as text: JSON, including inside JSON texts; the title of an HTML page; or any other text. */
export function readBodyText(text: string, facts: BodyFacts): void {
  const walk = { facts, values: 0 }
  const json = parsed(text)
  if (json !== undefined) read(json, walk, 0)
  else if (/^\s*</.test(text)) addSentence(titleOf(text), facts)
  else addSentence(text, facts)
}

/** Adds the facts of a body that was parsed already. */
export function readBodyValue(value: unknown, facts: BodyFacts): void {
  read(value, { facts, values: 0 }, 0)
}

interface Walk {
  facts: BodyFacts
  values: number
}

function read(value: unknown, walk: Walk, depth: number): void {
  walk.values += 1
  if (depth > MAX_DEPTH || walk.values > MAX_VALUES) return
  if (Array.isArray(value)) {
    for (const item of value.slice(0, MAX_ITEMS)) read(item, walk, depth + 1)
    return
  }
  if (!isJsonObject(value)) return
  for (const name in value) {
    if (!Object.hasOwn(value, name)) continue
    walk.values += 1
    if (walk.values > MAX_VALUES) return
    readField(name.toLowerCase(), propertyOf(value, name), walk, depth)
  }
}

function readField(name: string, value: unknown, walk: Walk, depth: number): void {
  const { facts } = walk
  if (LABELS.has(name)) addLabel(value, facts)
  if (PARAMETERS.has(name)) addParameter(value, facts)
  if (WAITS.has(name)) addWait(name, value, facts)
  if (name === 'headers') addHeaders(value, facts)
  if (typeof value === 'string' && SENTENCES.has(name)) {
    const inner = /^\s*[[{]/.test(value) ? parsed(value) : undefined
    if (inner !== undefined) read(inner, walk, depth + 1)
    else addSentence(value, facts)
  } else if (INNER.has(name)) read(value, walk, depth + 1)
}

function addLabel(value: unknown, { labels, statuses }: BodyFacts): void {
  const status = Number(value)
  if (value !== '' && Number.isInteger(status) && status >= 400 && status < 600) statuses.push(status)
  else if (typeof value === 'string' && labels.length < MAX_LISTED) labels.push(value.slice(0, MAX_LABEL))
}

function addSentence(value: string, { sentences }: BodyFacts): void {
  const sentence = value.slice(0, MAX_SENTENCE).trim()
  if (sentence !== '' && sentences.length < MAX_LISTED && !sentences.includes(sentence)) {
    sentences.push(sentence)
  }
}

function addParameter(value: unknown, { parameters }: BodyFacts): void {
  const path = Array.isArray(value) ? value.slice(0, MAX_ITEMS).map(String).join('.') : value
  if (typeof path === 'string' && path !== '' && parameters.length < MAX_LISTED) {
    parameters.push(path.slice(0, MAX_LABEL))
  }
}

function addWait(name: string, value: unknown, { waits }: BodyFacts): void {
  // A protobuf duration may be an object of seconds and nanoseconds.
  const seconds = propertyOf(value, 'seconds')
  const given = seconds === undefined ? value : Number(seconds)
  if (typeof given === 'number' || typeof given === 'string') waits.push({ name, value: given })
}

function addHeaders(value: unknown, { headers }: BodyFacts): void {
  if (!isJsonObject(value)) return
  for (const [name, text] of Object.entries(value).slice(0, MAX_LISTED)) {
    if (typeof text === 'string' || typeof text === 'number') headers[name.toLowerCase()] = String(text)
  }
}

function titleOf(html: string): string {
  const [, title = ''] = /<title[^>]{0,100}>([^<]{1,300})/i.exec(html.slice(0, MAX_TEXT)) ?? []
  return title.trim()
}

/** The JSON value of a text; undefined if it is not JSON, or too long to be an error. */
function parsed(text: string): unknown {
  const json = parseJson(text, { ...JSON_BUDGET, characters: MAX_TEXT })
  return json.ok ? json.value : undefined
}
