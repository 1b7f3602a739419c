import type { FieldError } from '../../errors/error-body.ts'
import { fieldPath, shortened } from '../../errors/field-path.ts'
import { isJsonObject } from '../../schema/json-object.ts'
import { parseTemplate, type Template, toolTemplatesIn } from './template.ts'
import type { ToolConfig } from './tools.ts'
import { parseUrlTemplate, type QueryTemplate, type UrlTemplate } from './url-template.ts'

/** The configuration of an `http` tool. */
export type HttpToolConfig = Extract<ToolConfig, { type: 'http' }>

/** The request of an `http` tool, to be filled with arguments and values of the context. */
export interface HttpPlan {
  method: HttpToolConfig['method']
  url: UrlTemplate
  /** The pairs in the URL and those of `query`. */
  query: readonly QueryTemplate[]
  headers: readonly { name: string; value: Template }[]
  /** JSON whose strings are templates; undefined without a configured body. */
  body: unknown
  /** Arguments that the parts above contain. */
  placed: ReadonlySet<string>
}

const TOKEN = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/
/** Headers of the connection, and computed headers of the request. */
const RESERVED =
  /^(host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-.*)$/i
const JSON_TYPE = /^application\/([a-z0-9.+-]{1,64}\+)?json( *;.*)?$/i
const TWO_BRACES = 'has {{ }} that is not {{ context.path }}'

/** Collects the failures of one tool. */
type Report = (field: string, message: string) => void

function queryOf(config: HttpToolConfig, url: UrlTemplate, report: Report): QueryTemplate[] {
  const pairs = [...url.query]
  for (const [key, given] of Object.entries(config.query ?? {})) {
    for (const value of Array.isArray(given) ? given : [given]) {
      if (value === null) continue
      const template = typeof value === 'object' ? null : parseTemplate(String(value))
      if (template) pairs.push({ key, value: template })
      else
        report(
          fieldPath('query', key),
          typeof value === 'object' ? 'must be text, a number or a list of them' : TWO_BRACES,
        )
    }
  }
  return pairs
}

function headersOf(config: HttpToolConfig, report: Report): HttpPlan['headers'] {
  const seen = new Set<string>()
  return Object.entries(config.headers ?? {}).flatMap(([name, text]) => {
    const problem = headerProblem(name, text, seen)
    const value = parseTemplate(text)
    if (problem !== null) report(fieldPath('headers', name), problem)
    else if (!value) report(fieldPath('headers', name), TWO_BRACES)
    seen.add(name.toLowerCase())
    return value ? [{ name, value }] : []
  })
}

function headerProblem(name: string, text: string, seen: ReadonlySet<string>): string | null {
  if (!TOKEN.test(name)) return 'is not the name of a header'
  if (RESERVED.test(name)) return 'is set by the request itself'
  if (seen.has(name.toLowerCase())) return 'is given twice'
  if (/[^\t\x20-\x7e\xa0-\xff]/.test(text)) return 'must be Latin-1 text without line breaks'
  if (name.toLowerCase() === 'content-type' && !JSON_TYPE.test(text)) {
    return 'must be a JSON type: the body is JSON'
  }
  return null
}

function templatesOf({ url, query, headers, body }: Omit<HttpPlan, 'placed'>) {
  const ofUrl = new Set(url.query)
  return [
    { path: 'url', template: url.authority },
    { path: 'url', template: url.path },
    ...query.map((pair) => ({
      path: ofUrl.has(pair) ? 'url' : fieldPath('query', pair.key),
      template: pair.value,
    })),
    ...headers.map(({ name, value }) => ({ path: fieldPath('headers', name), template: value })),
    ...toolTemplatesIn(body, 'body'),
  ]
}

/** The plan of a tool, or its faults; paths are fields of the tool. */
export function httpPlan(
  config: HttpToolConfig,
): { ok: true; plan: HttpPlan } | { ok: false; errors: FieldError[] } {
  const errors: FieldError[] = []
  const report: Report = (path, message) => void errors.push({ path, message })
  const parsed = parseUrlTemplate(config.url)
  if (!parsed.ok) return { ok: false, errors: [{ path: 'url', message: parsed.message }] }
  const { url } = parsed
  const { method, body } = config
  const parts = { method, url, query: queryOf(config, url, report), headers: headersOf(config, report), body }
  if (method === 'GET' && body !== undefined) report('body', 'a GET has no body')
  const properties = isJsonObject(config.input_schema?.properties) ? config.input_schema.properties : {}
  const keys = new Set((config.context_keys ?? []).map(({ key }) => key))
  const placed = new Set<string>()
  for (const { path, template } of templatesOf(parts)) {
    if (!template) report(path, TWO_BRACES)
    for (const part of template ?? []) {
      if (part.kind === 'context' && !keys.has(part.path[0])) {
        report(path, `names context.${part.path[0]}, which is not in context_keys`)
      }
      if (part.kind !== 'argument') continue
      placed.add(part.name)
      if (!Object.hasOwn(properties, part.name)) {
        report(path, `names {${part.name}}, which is not a property of input_schema`)
      }
    }
  }
  const unplaced = Object.keys(properties).filter((name) => !placed.has(name))
  if (unplaced.length > 0 && body !== undefined && !isJsonObject(body)) {
    report('body', `is not an object, so it has no place for ${shortened(unplaced.slice(0, 5).join(', '))}`)
  }
  return errors.length > 0 ? { ok: false, errors } : { ok: true, plan: { ...parts, placed } }
}
