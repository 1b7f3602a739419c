import { shortened } from '@troupe/contract'
import type { FirstSteps } from '../draft/assemble.ts'
import { isKey, literalText, marker } from '../draft/marker.ts'
import { textOf } from '../draft/plain.ts'
import type { DifyApp, DifyNode } from './read-dify.ts'

/**
 * References in texts: `{{#node.field#}}`, and `{{#context#}}` for the passages of a model's context.
 *
 * Source: api/core/workflow/utils/variable_template_parser.py of github.com/langgenius/dify.
 */
const REFERENCE = /\{\{#([\w-]{1,60}(?:\.[^#{}\s]{1,200})?)#\}\}/g

/** The location of a node's field in a run. */
export type FieldPlace =
  | { output: readonly string[] }
  | { variable: string }
  | { trigger: readonly string[] }
  | { reason: string }
export type FieldRule = (fields: readonly string[], node: DifyNode) => FieldPlace

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/

/** State shared by the conversions of nodes: the tokens of an app. */
export class DifyScope {
  /** The fields of stand-ins that other nodes read. */
  readonly readFields = new Map<string, Set<string>>()
  readonly #byKey: ReadonlyMap<string, DifyNode>
  readonly #first: FirstSteps
  readonly #ruleOf: (node: DifyNode) => FieldRule | null
  readonly #secrets: ReadonlySet<string>
  readonly #variables = new Map<string, string>()
  readonly #taken = new Set<string>()

  constructor({
    app,
    first,
    ruleOf,
  }: { app: DifyApp; first: FirstSteps; ruleOf: (node: DifyNode) => FieldRule | null }) {
    this.#byKey = new Map(app.nodes.map((node) => [node.key, node]))
    this.#first = first
    this.#ruleOf = ruleOf
    this.#secrets = new Set(app.environment.filter(({ type }) => type === 'secret').map(({ name }) => name))
  }

  /** The name of a run variable for a Dify variable; the same for every call. */
  variable(given: string): string {
    const known = this.#variables.get(given)
    if (known !== undefined) return known
    const own = VARIABLE_NAME.test(given) && !this.#taken.has(given)
    let name = own ? given : ''
    for (let n = this.#variables.size + 1; name === '' || (!own && this.#taken.has(name)); n += 1)
      name = `variable_${n}`
    this.#variables.set(given, name)
    this.#taken.add(name)
    return name
  }

  /** A text with its references as tokens. `names`: references that only this text has, such as the context of a model. */
  text(
    template: string,
    reader: DifyNode,
    remarks: string[],
    names: ReadonlyMap<string, unknown> = new Map(),
  ): string {
    let made = ''
    let end = 0
    for (const match of template.matchAll(REFERENCE)) {
      made += literalText(template.slice(end, match.index))
      end = match.index + match[0].length
      const inner = match[1] ?? ''
      const named = names.get(inner)
      if (named === undefined && !inner.includes('.')) made += literalText(match[0])
      else made += this.token(named ?? inner.split('.'), reader, remarks)
    }
    return made + literalText(template.slice(end))
  }

  /** The token of a selector: `["1720758285748", "text"]`. */
  token(selector: unknown, reader: DifyNode, remarks: string[]): string {
    const parts = Array.isArray(selector) ? selector.flatMap((part) => textOf(part).split('.')) : []
    const found = this.#find(parts, reader)
    if ('path' in found) return `{{ ${found.path} }}`
    remarks.push(`"${shortened(parts.join('.'), 100)}" has no token: ${found.reason}.`)
    return marker('dify', parts.join('.') || 'nothing was chosen')
  }

  #find(parts: readonly string[], reader: DifyNode): { path: string } | { reason: string } {
    const [source, ...fields] = parts
    if (source === undefined || fields.length === 0) return { reason: 'nothing was chosen' }
    const wrong = fields.find((field) => !isKey(field))
    if (wrong !== undefined) return { reason: 'no token can name its key' }
    if (source === 'sys') return systemField(fields)
    if (source === 'conversation')
      return { path: ['variables', this.variable(fields[0] ?? ''), ...fields.slice(1)].join('.') }
    if (source === 'env') {
      if (this.#secrets.has(fields[0] ?? ''))
        return { reason: 'it is a secret of the environment; keep secrets in credentials' }
      return { path: `variables.${this.variable(`env_${fields[0]}`)}` }
    }
    const node = this.#byKey.get(source)
    if (!node) return { reason: 'there is no such node' }
    if (fields[0] === 'sys') return systemField(fields.slice(1))
    return this.#ofNode(node, fields, reader)
  }

  #ofNode(
    node: DifyNode,
    fields: readonly string[],
    reader: DifyNode,
  ): { path: string } | { reason: string } {
    const step = this.#first.get(node.key)
    const rule = this.#ruleOf(node)
    if (!step || !rule) return { reason: 'its node became a Note' }
    const around = this.#loopsAround(reader)
    if (around.includes(node.key) && (fields[0] === 'item' || fields[0] === 'index')) {
      if (around[0] !== node.key)
        return { reason: 'it belongs to an outer Loop, and tokens read the item of the inner one' }
      return { path: ['loop', ...fields].join('.') }
    }
    const place = rule(fields, node)
    if ('reason' in place) return place
    if ('trigger' in place) return { path: ['trigger', ...place.trigger].join('.') }
    if ('variable' in place) return { path: `variables.${this.variable(place.variable)}` }
    return { path: ['upstream', step.id, 'output', ...place.output].join('.') }
  }

  #loopsAround(node: DifyNode): string[] {
    const around: string[] = []
    for (let at = node.parent; at !== null && around.length < 20; at = this.#byKey.get(at)?.parent ?? null)
      around.push(at)
    return around
  }

  /** Records that a later step reads a field of a stand-in. */
  readField(node: DifyNode, field: string): void {
    const fields = this.readFields.get(node.key)
    if (fields) fields.add(field)
    else this.readFields.set(node.key, new Set([field]))
  }
}

function systemField(fields: readonly string[]): { path: string } | { reason: string } {
  const [name] = fields
  if (name === 'query' || name === 'files') return { path: ['trigger', ...fields].join('.') }
  return { reason: `a run has no "sys.${shortened(name ?? '', 60)}"` }
}
