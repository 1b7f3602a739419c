import { parseSync } from 'oxc-parser'

type Node = Record<string, unknown> & { type: string }

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
const nameOf = (value: unknown) => (isNode(value) && value.type === 'Identifier' ? String(value.name) : null)
const isFunction = ({ type }: Node) =>
  type === 'ArrowFunctionExpression' || type === 'FunctionExpression' || type === 'FunctionDeclaration'

/** Growing collections. */
const KINDS = new Set(['Map', 'Set', 'WeakMap', 'LRUCache'])
/** Methods that add an entry. */
const GROWS = new Set(['set', 'add'])

/** Stores that a function leaves behind. */
interface Leavings {
  /** Collections that it creates. */
  stores: Set<string>
  /** Names of functions that it defines. */
  functions: Set<string>
  /** Collections to which its inner functions add entries. */
  grown: Set<string>
  /** Whether it returns a function that it defines. */
  givesFunction: boolean
}

/**
 * The names of collections that a function creates, that its inner functions fill, and that live on because it returns such a
 * function: `return (key) => known.set(key, …)`.
 */
export function storesOfClosures(path: string, source: string): string[] {
  const found = new Set<string>()
  const program: unknown = parseSync(path, source).program
  if (!isNode(program)) throw new TypeError(`${path} cannot be parsed`)
  visit(program, [])
  return [...found]

  /** `around` are the enclosing functions of a node, the innermost last. */
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
    // Entries added by the function itself exist before it returns.
    if (at >= 0 && at < around.length - 1) around[at]?.grown.add(name)
  }
}

/** Whether a value is or contains a function; arguments of calls are not returned. */
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
