import { parseSync } from 'oxc-parser'

type Node = Record<string, unknown> & { type: string }

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
const nameOf = (value: unknown) => (isNode(value) && value.type === 'Identifier' ? String(value.name) : null)
const isFunction = ({ type }: Node) =>
  type === 'ArrowFunctionExpression' || type === 'FunctionExpression' || type === 'FunctionDeclaration'

/** Collections that grow. */
const KINDS = new Set(['Map', 'Set', 'WeakMap', 'LRUCache'])
/** Methods that put something into one. */
const GROWS = new Set(['set', 'add'])

/** What a function leaves behind. */
interface Leavings {
  /** Collections that it makes. */
  stores: Set<string>
  /** Names of functions that it makes. */
  functions: Set<string>
  /** Collections that functions inside of it put something into. */
  grown: Set<string>
  /** Whether a function that it makes is in what it returns. */
  givesFunction: boolean
}

/**
 * The names of collections that a function makes, that functions inside of it fill, and that live on, because it returns such a function:
 * `return (key) => known.set(key, …)`.
 */
export function storesOfClosures(path: string, source: string): string[] {
  const found = new Set<string>()
  const program: unknown = parseSync(path, source).program
  if (!isNode(program)) throw new TypeError(`${path} cannot be parsed`)
  visit(program, [])
  return [...found]

  /** `around` are the functions around a node, the innermost last. */
  function visit(node: Node, around: readonly Leavings[]): void {
    if (isFunction(node)) {
      enter(node, around)
      return
    }
    const here = around.at(-1)
    if (here && node.type === 'VariableDeclarator') declared(node, here)
    if (node.type === 'CallExpression') grows(node, around)
    if (here && node.type === 'ReturnStatement') here.givesFunction ||= hasFunction(node.argument, here)
    for (const child of childrenOf(node)) visit(child, around)
  }

  function enter(node: Node, around: readonly Leavings[]): void {
    const name = nameOf(node.id)
    if (name !== null) around.at(-1)?.functions.add(name)
    const own: Leavings = { stores: new Set(), functions: new Set(), grown: new Set(), givesFunction: false }
    const { body } = node
    if (!isNode(body)) return
    // Functions may be returned above the line that declares them.
    for (const statement of childrenOf(body)) {
      const inner = nameOf(statement.id)
      if (statement.type === 'FunctionDeclaration' && inner !== null) own.functions.add(inner)
    }
    if (body.type !== 'BlockStatement') own.givesFunction = hasFunction(body, own)
    visit(body, [...around, own])
    if (!own.givesFunction) return
    for (const store of own.stores) if (own.grown.has(store)) found.add(store)
  }

  function declared({ id, init }: Node, here: Leavings): void {
    const name = nameOf(id)
    if (name === null || !isNode(init)) return
    if (isFunction(init)) here.functions.add(name)
    if (init.type === 'NewExpression' && KINDS.has(nameOf(init.callee) ?? '')) here.stores.add(name)
  }

  function grows({ callee }: Node, around: readonly Leavings[]): void {
    if (!isNode(callee) || callee.type !== 'MemberExpression') return
    const name = nameOf(callee.object)
    if (name === null || !GROWS.has(nameOf(callee.property) ?? '')) return
    const at = around.findLastIndex(({ stores }) => stores.has(name))
    // What the function itself puts in is there before it returns.
    if (at >= 0 && at < around.length - 1) around[at]?.grown.add(name)
  }
}

/** Whether a value is a function or has one: arguments of calls are not what is returned. */
function hasFunction(value: unknown, { functions }: Leavings): boolean {
  if (!isNode(value)) return false
  const name = nameOf(value)
  if (name !== null) return functions.has(name)
  if (isFunction(value)) return true
  if (value.type === 'CallExpression') return false
  return childrenOf(value).some((child) => hasFunction(child, { functions } as Leavings))
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode)
}
