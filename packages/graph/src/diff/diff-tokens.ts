import { compileGraph } from '../compile/compile-graph.ts'
import type { CompiledGraph } from '../compile/compiled-graph.ts'
import { tokenize } from '../interpolation/tokenize.ts'
import type { Graph } from '../model/graph.ts'
import type { NodeTypes } from '../model/node-types.ts'
import { checkTokens } from '../validation/check-tokens.ts'
import { stringsIn } from '../validation/strings-in.ts'
import { triggerReads } from '../validation/trigger-fields.ts'

/** A token that a step reads. */
export interface TokenUse {
  nodeId: string
  /** The name of the step, from the later graph if it is there. */
  name: string
  /** Below the node, dotted: `config.prompt`. */
  path: string
  /** `{{ trigger.body.email }}` */
  token: string
}

/** A token that cannot be resolved, or not in every run, and that was resolvable or absent before. */
export interface BrokenToken extends TokenUse {
  severity: 'error' | 'warning'
  /** `there is no step classify` */
  message: string
}

/** The tokens that steps read in only one of two graphs. */
export interface TokenDifference {
  gained: TokenUse[]
  lost: TokenUse[]
  broken: BrokenToken[]
  /** The number of unlisted tokens, if there are too many. */
  more: number
}

/** Maximum tokens of each list. */
const MOST_TOKENS = 200

/** A tenth of the effort of checking one graph, about 100 ms: both graphs are checked. */
const EFFORT = 500_000

/**
 * Compares the tokens read by the steps of two graphs. A token counts once for each field, and a finding is new if the
 * same field had no finding of that code for that token.
 */
export function diffTokens(before: Graph, after: Graph, types: NodeTypes): TokenDifference {
  const [earlier, later] = [compileGraph(before, types), compileGraph(after, types)]
  const [was, is] = [usesOf(earlier), usesOf(later)]
  const names = new Map([...earlier.nodes, ...later.nodes].map(([id, { name }]) => [id, name]))
  const named = (use: Omit<TokenUse, 'name'>) => ({ ...use, name: names.get(use.nodeId) ?? use.nodeId })
  const gained = [...is.values()].filter((use) => !was.has(keyOf(use)))
  const lost = [...was.values()].filter((use) => !is.has(keyOf(use)))
  const broken = brokenIn(earlier, later)
  const all = { gained, lost, broken }
  return {
    gained: gained.slice(0, MOST_TOKENS).map(named),
    lost: lost.slice(0, MOST_TOKENS).map(named),
    broken: broken
      .slice(0, MOST_TOKENS)
      .map(({ severity, message, ...use }) => ({ ...named(use), severity, message })),
    more: Object.values(all).reduce((sum, { length }) => sum + Math.max(0, length - MOST_TOKENS), 0),
  }
}

type Use = Omit<TokenUse, 'name'>
type Found = Omit<BrokenToken, 'name'> & { code: string }

function keyOf({ nodeId, path, token }: Use): string {
  return JSON.stringify([nodeId, path, token])
}

function usesOf(graph: CompiledGraph): Map<string, Use> {
  const uses = new Map<string, Use>()
  for (const { id, facts, config } of graph.nodes.values()) {
    for (const field of facts.templates?.(config) ?? []) {
      for (const { text, path } of stringsIn(field.value, `config.${field.path}`)) {
        for (const part of tokenize(text)) {
          if (part.kind === 'text') continue
          const use = { nodeId: id, path, token: part.token }
          uses.set(keyOf(use), use)
        }
      }
    }
  }
  return uses
}

/** Only steps with a finding in the later graph are also checked in the earlier one. */
function brokenIn(earlier: CompiledGraph, later: CompiledGraph): Found[] {
  const found = findingsIn(later, [...later.nodes.keys()])
  const known = findingsIn(earlier, [...new Set(found.map(({ nodeId }) => nodeId))])
  const findingKey = (one: Found) => JSON.stringify([keyOf(one), one.code])
  const old = new Set(known.map(findingKey))
  return found.filter((one) => !old.has(findingKey(one)))
}

function findingsIn(graph: CompiledGraph, ids: readonly string[]): Found[] {
  const reads = triggerReads(graph)
  const effort = { left: EFFORT }
  return ids.flatMap((nodeId) => {
    const node = graph.nodes.get(nodeId)
    if (!node) return []
    return checkTokens(node, '', graph, effort, reads).flatMap(({ severity, code, path, message }) => {
      // A message has the form `{{ token }}: reason`, and a token contains no brace.
      const end = message.indexOf('}}: ') + 2
      const token = message.slice(0, end)
      return severity === 'block'
        ? []
        : [{ nodeId, path, token, severity, code, message: message.slice(end + 2) }]
    })
  })
}
