import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isJsonObject, propertyOf } from '@troupe/contract'
import { offeredSchema, repairedSchema } from '@troupe/json-schema'
import type { HideTexts } from '../credentials/text-hider.ts'
import { hideInJson } from './hide-in-json.ts'
import type { OfferedDefinition } from './mcp-endpoint.ts'

const MAX_SHOWN_NAME = 64
const MAX_NAME = 128
const MAX_DESCRIPTION = 4_000
/** Limit of one definition: people read it completely before they confirm a change. */
const MAX_DEFINITION = 60_000
const MAX_TOOLS = 256
/** Limit of all definitions of a server together. */
const MAX_DEFINITIONS = 1_000_000
const MAX_DEPTH = 64
/** Milliseconds for which tools are checked before yielding to other work. */
const TURN_MS = 10

/** A tool of a server that agents may get. */
export interface ListedTool {
  name: string
  description: string
  inputSchema: Record<string, unknown>
  /** Its texts for models, and their hash. */
  definition: OfferedDefinition
}

/** A tool that an agent does not get, with one sentence about the reason. */
export interface LeftOut {
  name: string
  reason: string
}

/** A server's list, without its credentials. */
export interface ListedTools {
  tools: readonly ListedTool[]
  leftOut: readonly LeftOut[]
  /** Why tools may be missing, in sentences. */
  gaps: readonly string[]
}

type Checked = { ok: true; tool: ListedTool } | { ok: false; leftOut: LeftOut }

/**
 * The minimum number of characters of a value as indented JSON; null if it is nested too deeply. Counting stops at
 * `most`, so that no much longer text is written.
 */
function leastLength(value: unknown, most: number): number | null {
  const stack: { value: unknown; depth: number }[] = [{ value, depth: 1 }]
  let length = 0
  for (let next = stack.pop(); next !== undefined && length <= most; next = stack.pop()) {
    const { value: inner, depth } = next
    if (depth > MAX_DEPTH) return null
    if (typeof inner === 'string') length += inner.length
    if (typeof inner !== 'object' || inner === null) continue
    const entries = Array.isArray(inner) ? inner.entries() : Object.entries(inner)
    for (const [key, child] of entries) {
      length += 2 * depth + (typeof key === 'string' ? key.length + 4 : 2)
      if (length > most) break
      stack.push({ value: child, depth: depth + 1 })
    }
  }
  return length
}

/** The start of a text, as a copy that does not keep the whole text in memory. */
function startOf(text: string, characters: number): string {
  return text.length <= characters
    ? text
    : Buffer.from(text.slice(0, characters), 'utf16le').toString('utf16le')
}

const tooLong = `Its description and input schema have more than ${MAX_DEFINITION} characters.`

/** The tools in a server's list, checked individually: an invalid tool does not affect the others. */
export class ToolChecks {
  readonly #hide: HideTexts
  readonly #now: () => number
  readonly #tools: ListedTool[] = []
  readonly #leftOut: LeftOut[] = []
  readonly #fingerprints = new Map<unknown, string | null>()
  #seen = 0
  #length = 0

  /**
   * @param hide Hides the credentials of the server, which may repeat them in any text.
   * @param now Returns the time in milliseconds.
   */
  constructor(hide: HideTexts, now = () => performance.now()) {
    this.#hide = hide
    this.#now = now
  }

  /**
   * Checks the next tools of the list, yielding to other work in between. A repeated tool is not counted again, because
   * some servers repeat their last page.
   *
   * @returns whether all of them were read; a server may have 256
   */
  async add(listed: readonly unknown[]): Promise<boolean> {
    // The list has just been parsed.
    await nextTurn()
    let turnEnds = this.#now() + TURN_MS
    for (const value of listed) {
      const known = this.#fingerprints.get(propertyOf(value, 'name'))
      if (known === undefined && this.#seen === MAX_TOOLS) return false
      this.#take(value, known)
      if (this.#now() < turnEnds) continue
      await nextTurn()
      turnEnds = this.#now() + TURN_MS
    }
    return true
  }

  /** @param known the fingerprint of an earlier tool with the name; null for an invalid one */
  #take(value: unknown, known: string | null | undefined): void {
    if (known === null) return
    if (known === undefined) this.#seen += 1
    const checked = this.#check(value)
    const fingerprint = checked.ok ? checked.tool.definition.fingerprint : null
    if (known !== undefined) {
      if (fingerprint === known || this.#leftOut.length >= MAX_TOOLS) return
      const name = startOf(this.#hide(String(propertyOf(value, 'name'))), MAX_SHOWN_NAME)
      this.#leftOut.push({ name, reason: 'It is listed twice, and the first one is used.' })
      return
    }
    if (checked.ok) {
      this.#length += checked.tool.definition.definition.length
      this.#tools.push(checked.tool)
    } else this.#leftOut.push(checked.leftOut)
    const name = propertyOf(value, 'name')
    if (typeof name === 'string' && name.length <= MAX_NAME) this.#fingerprints.set(name, fingerprint)
  }

  /** The number of different tools so far. */
  get seen(): number {
    return this.#seen
  }

  /** @param gaps why tools may be missing */
  result(gaps: readonly string[]): ListedTools {
    return { tools: this.#tools, leftOut: this.#leftOut, gaps }
  }

  #check(value: unknown): Checked {
    const { name, description, inputSchema } = isJsonObject(value) ? value : {}
    const shown =
      typeof name === 'string' ? this.#hide(name.slice(0, MAX_NAME + 1), name.length > MAX_NAME) : null
    const fault = (reason: string): Checked => {
      const leftOut = { name: startOf(shown ?? `number ${this.#seen}`, MAX_SHOWN_NAME), reason }
      return { ok: false, leftOut }
    }
    if (!isJsonObject(value)) return fault('It is not an object.')
    if (shown === null || shown === '') return fault('It has no name.')
    if (shown.length > MAX_NAME) return fault(`Its name has more than ${MAX_NAME} characters.`)
    if (!isJsonObject(inputSchema)) return fault('It has no inputSchema, which must be an object.')
    const least = leastLength(inputSchema, MAX_DEFINITION)
    if (least === null) return fault(`Its inputSchema is nested deeper than ${MAX_DEPTH} levels.`)
    if (least > MAX_DEFINITION) return fault(tooLong)
    const schema = ordered(hideInJson(inputSchema, this.#hide))
    const text = typeof description === 'string' ? startOf(this.#hide(description), MAX_DESCRIPTION) : ''
    const definition = JSON.stringify({ description: text, inputSchema: schema }, null, 2)
    if (definition.length > MAX_DEFINITION) return fault(tooLong)
    if (this.#length + definition.length > MAX_DEFINITIONS) {
      return fault(`The tools before it fill the ${MAX_DEFINITIONS} characters that a server may have.`)
    }
    // Both are stored with the schema: computing them for all tools during a run would block other runs.
    const repaired = repairedSchema(schema)
    if (!repaired.ok) return fault(`Its inputSchema ${repaired.problem}.`)
    offeredSchema(repaired.schema)
    const fingerprint = createHash('sha256').update(definition).digest('base64url').slice(0, 22)
    const tool = { name: shown, description: text, inputSchema: schema }
    return { ok: true, tool: { ...tool, definition: { name: shown, fingerprint, definition } } }
  }
}

/** An earlier version put these keywords first; the order is kept so that confirmed fingerprints stay the same. */
function ordered(schema: unknown): Record<string, unknown> {
  const { type, properties, required, ...rest } = isJsonObject(schema) ? schema : {}
  return {
    ...(type !== undefined && { type }),
    ...(properties !== undefined && { properties }),
    ...(required !== undefined && { required }),
    ...rest,
  }
}
