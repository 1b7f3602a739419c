import { shortened } from '@troupe/contract'
import type { FirstSteps } from '../draft/assemble.ts'
import { isKey, literalText, marker } from '../draft/marker.ts'
import { textOf } from '../draft/plain.ts'
import { readLiteral, readPath, type SourcePath, splitTemplate } from './expressions.ts'
import type { N8nConnection, N8nNode } from './read-n8n.ts'

/** The location of a path of a node's data in a run. `input`: in the node's own input. */
export type OutputPlace =
  | { output: readonly string[] }
  | { trigger: readonly string[] }
  | { input: readonly string[] }
  | { reason: string }

/** How tokens address a node's data. */
export type OutputRule = (keys: readonly string[], node: N8nNode) => OutputPlace

/** Maximum number of nodes over which passed-on data is searched. */
const MAX_HOPS = 200

/** State shared by the conversions of nodes: the tokens of a workflow. */
export class N8nScope {
  /** The fields of stand-ins that other nodes read. */
  readonly readFields = new Map<string, Set<string>>()
  readonly #byName: ReadonlyMap<string, N8nNode>
  readonly #inputs = new Map<string, N8nConnection[]>()
  readonly #first: FirstSteps
  readonly #loopOf: ReadonlyMap<string, string | null>
  readonly #ruleOf: (node: N8nNode) => OutputRule | null

  constructor(parts: {
    nodes: readonly N8nNode[]
    connections: readonly N8nConnection[]
    first: FirstSteps
    loopOf: ReadonlyMap<string, string | null>
    ruleOf: (node: N8nNode) => OutputRule | null
  }) {
    this.#byName = new Map([...parts.nodes].reverse().map((node) => [node.key, node]))
    for (const connection of parts.connections) {
      if (connection.kind !== 'main') continue
      const inputs = this.#inputs.get(connection.to)
      if (inputs) inputs.push(connection)
      else this.#inputs.set(connection.to, [connection])
    }
    for (const inputs of this.#inputs.values()) inputs.sort((a, b) => a.input - b.input)
    this.#first = parts.first
    this.#loopOf = parts.loopOf
    this.#ruleOf = parts.ruleOf
  }

  /** A field as text with tokens. */
  text(value: unknown, node: N8nNode, remarks: string[]): string {
    const converted = this.#convert(value, node, remarks, true)
    return typeof converted === 'string' ? converted : (JSON.stringify(converted) ?? '')
  }

  /** A field as any JSON, whose strings have tokens. */
  value(value: unknown, node: N8nNode, remarks: string[]): unknown {
    return this.#convert(value, node, remarks, false)
  }

  /** The token path of a path in the data before a node; null if there is none, with a remark about the reason. */
  inputPath(node: N8nNode, keys: readonly string[], remarks: string[]): string | null {
    const found = this.#find(node, { node: null, keys: [...keys], asText: false }, remarks)
    if ('path' in found) return found.path
    const place = keys.length === 0 ? 'What comes before it' : `"${shortened(keys.join('.'), 200)}"`
    remarks.push(`${place} has no token: ${found.reason}.`)
    return null
  }

  #convert(value: unknown, node: N8nNode, remarks: string[], isText: boolean): unknown {
    if (typeof value === 'string') return this.#template(value, node, remarks, isText)
    if (Array.isArray(value)) return value.map((item) => this.#convert(item, node, remarks, isText))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, this.#convert(inner, node, remarks, isText)]),
    )
  }

  #template(text: string, node: N8nNode, remarks: string[], isText: boolean): unknown {
    if (!text.startsWith('=')) return literalText(text)
    const pieces = splitTemplate(text.slice(1))
    const [only] = pieces
    if (pieces.length === 1 && only && 'expression' in only) {
      const literal = readLiteral(only.expression)
      if (literal !== undefined)
        return typeof literal === 'string' ? literalText(literal) : isText ? textOf(literal) : literal
      return this.#token(only.expression, node, remarks, !isText)
    }
    return pieces
      .map((piece) => {
        if ('text' in piece) return literalText(piece.text)
        const literal = readLiteral(piece.expression)
        if (literal !== undefined) return literalText(textOf(literal))
        return this.#token(piece.expression, node, remarks, false)
      })
      .join('')
  }

  #token(expression: string, node: N8nNode, remarks: string[], keepsType: boolean): string {
    const path = readPath(expression)
    const found =
      path === null || (path.asText && keepsType)
        ? { reason: 'it computes a value, and tokens only read values' }
        : this.#find(node, path, remarks)
    if ('path' in found) return `{{ ${found.path} }}`
    remarks.push(`"${shortened(expression.replaceAll(/\s+/g, ' '), 200)}" has no token: ${found.reason}.`)
    return marker('n8n', expression)
  }

  #find(node: N8nNode, path: SourcePath, remarks: string[]): { path: string } | { reason: string } {
    if (path.node !== null) {
      const producer = this.#byName.get(path.node)
      if (!producer) return { reason: `there is no node "${shortened(path.node, 100)}"` }
      return this.#at(producer, path.keys, node, remarks)
    }
    return this.#before(node, path.keys, node, remarks, 0)
  }

  #before(
    node: N8nNode,
    keys: readonly string[],
    reader: N8nNode,
    remarks: string[],
    hops: number,
  ): { path: string } | { reason: string } {
    // An edge from the body back to a Loop is not an input of the Loop.
    const inputs = (this.#inputs.get(node.key) ?? []).filter(({ from }) => !this.#isInside(from, node.key))
    const [first] = inputs
    const producer = first && this.#byName.get(first.from)
    if (!producer) return { reason: 'nothing leads to the node that reads it' }
    if (hops >= MAX_HOPS) return { reason: 'too many nodes are between it and its source' }
    const found = this.#at(producer, keys, reader, remarks, hops + 1)
    const others = new Set(inputs.map(({ from }) => from))
    if ('path' in found && others.size > 1) {
      const names = [...others].slice(0, 5).map((key) => `"${shortened(key, 60)}"`)
      remarks.push(
        `It reads its input, which comes from several branches: ${names.join(', ')}. {{ ${found.path} }} is from the first.`,
      )
    }
    return found
  }

  #at(
    producer: N8nNode,
    keys: readonly string[],
    reader: N8nNode,
    remarks: string[],
    hops = 0,
  ): { path: string } | { reason: string } {
    const step = this.#first.get(producer.key)
    const rule = this.#ruleOf(producer)
    if (!step || !rule) return { reason: `"${shortened(producer.name, 100)}" became a Note` }
    const around = this.#loopsAround(reader)
    const place = around.includes(producer.key) ? ({ output: keys } as const) : rule(keys, producer)
    if ('reason' in place) return place
    if ('input' in place) return this.#before(producer, place.input, reader, remarks, hops)
    const wrong = ('trigger' in place ? place.trigger : place.output).find((key) => !isKey(key))
    if (wrong !== undefined) return { reason: `no token can name the key "${shortened(wrong, 60)}"` }
    if ('trigger' in place) return { path: ['trigger', ...place.trigger].join('.') }
    if (around[0] === producer.key) return { path: ['loop.item', ...keys].join('.') }
    if (around.includes(producer.key))
      return { reason: 'it is the item of an outer Loop, and tokens read the item of the inner one' }
    return { path: ['upstream', step.id, 'output', ...place.output].join('.') }
  }

  #isInside(key: string, loop: string): boolean {
    const node = this.#byName.get(key)
    return node !== undefined && this.#loopsAround(node).includes(loop)
  }

  /** The Loops around a node, the innermost first. */
  #loopsAround(node: N8nNode): string[] {
    const around: string[] = []
    for (let at = this.#loopOf.get(node.key) ?? null; at !== null; at = this.#loopOf.get(at) ?? null)
      around.push(at)
    return around
  }

  /** Records that a later step reads a field of a stand-in. */
  readField(node: N8nNode, key: string): void {
    const fields = this.readFields.get(node.key)
    if (fields) fields.add(key)
    else this.readFields.set(node.key, new Set([key]))
  }
}
