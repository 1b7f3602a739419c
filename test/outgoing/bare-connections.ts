import { parseSync } from 'oxc-parser'

/** Globals that open connections to an address argument. */
const GLOBALS = new Set(['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'])
const GLOBAL_OBJECTS = new Set(['globalThis', 'global', 'window', 'self'])
/** Modules that open connections, with their other exports. */
const MODULES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['http', new Set(['createServer', 'Server', 'IncomingMessage', 'ServerResponse', 'STATUS_CODES'])],
  ['https', new Set(['createServer', 'Server'])],
  ['http2', new Set(['createServer', 'createSecureServer', 'constants'])],
  ['net', new Set(['createServer', 'Server', 'isIP', 'isIPv4', 'isIPv6', 'BlockList', 'SocketAddress'])],
  ['tls', new Set(['createServer'])],
  ['dgram', new Set()],
  ['undici', new Set()],
  ['ws', new Set(['WebSocketServer'])],
  ['axios', new Set()],
  ['got', new Set()],
  ['node-fetch', new Set()],
  ['openai', new Set()],
])
/** Packages whose clients take a `fetch`, and call the global one without it. */
const TAKES_FETCH = /^@ai-sdk\/(?!provider(?:-utils)?$)/

type Node = Record<string, unknown> & { type: string }
type Scope = ReadonlySet<string>

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
const nodes = (value: unknown): Node[] => [value].flat().filter(isNode)
const nameOf = (value: unknown) => (isNode(value) && value.type === 'Identifier' ? String(value.name) : null)
const textOf = (value: unknown) =>
  isNode(value) && value.type === 'Literal' && typeof value.value === 'string' ? value.value : null

/**
 * The ways in which a file opens connections without the guarded fetch: undeclared globals, imported modules, and SDKs created
 * without a `fetch`.
 */
export function bareConnections(path: string, source: string): string[] {
  const found = new Set<string>()
  const makers = new Set<string>()
  const program: unknown = parseSync(path, source).program
  if (!isNode(program)) throw new TypeError(`${path} cannot be parsed`)

  const imported = (module: string | null, names: readonly (string | null)[]) => {
    const bare = (module ?? '').replace(/^node:/, '')
    const harmless = MODULES.get(bare)
    for (const name of names) {
      if (harmless && (name === null || !harmless.has(name))) found.add(`${bare}: ${name ?? 'whole module'}`)
    }
  }
  /** SDK factories destructured from a dynamic import. */
  const takenApart = (declarator: Node) => {
    const init =
      isNode(declarator.init) && declarator.init.type === 'AwaitExpression' ? declarator.init.argument : null
    const module = isNode(init) && init.type === 'ImportExpression' ? textOf(init.source) : null
    if (module !== null && TAKES_FETCH.test(module))
      for (const name of namesOf(declarator.id)) makers.add(name)
  }

  const visit = (node: Node, outer: Scope): void => {
    const scope = scopeOf(node, outer)
    switch (node.type) {
      case 'ImportDeclaration': {
        if (node.importKind === 'type') return
        const module = textOf(node.source)
        const values = nodes(node.specifiers).filter(({ importKind }) => importKind !== 'type')
        imported(
          module,
          values.map(({ imported: name }) => nameOf(name)),
        )
        if (TAKES_FETCH.test(module ?? '')) for (const { local } of values) makers.add(nameOf(local) ?? '')
        return
      }
      case 'ImportExpression':
        imported(textOf(node.source), [null])
        return
      case 'VariableDeclarator':
        takenApart(node)
        break
      case 'MemberExpression': {
        const name = node.computed ? textOf(node.property) : nameOf(node.property)
        if (GLOBAL_OBJECTS.has(nameOf(node.object) ?? '') && GLOBALS.has(name ?? '')) found.add(String(name))
        break
      }
      case 'CallExpression': {
        const [options] = nodes(node.arguments)
        const callee = nameOf(node.callee) ?? ''
        if (makers.has(callee) && !hasFetch(options)) found.add(`${callee} without fetch`)
        break
      }
      case 'Identifier':
        if (GLOBALS.has(String(node.name)) && !scope.has(String(node.name))) found.add(String(node.name))
        return
    }
    for (const [key, value] of Object.entries(node)) {
      if (isSkipped(node, key)) continue
      for (const child of nodes(value)) visit(child, scope)
    }
  }
  visit(program, new Set())
  return [...found].sort()
}

/** Names and types, which use nothing. */
function isSkipped(node: Node, key: string): boolean {
  if (key === 'typeAnnotation' || key === 'typeArguments' || key === 'typeParameters' || key === 'returnType')
    return true
  if (node.type === 'TSTypeAliasDeclaration' || node.type === 'TSInterfaceDeclaration') return true
  if (key === 'property') return node.type === 'MemberExpression' && node.computed !== true
  if (key === 'key') return node.computed !== true
  return key === 'label' || key === 'meta'
}

/** The names in the scope of a node: those of outer scopes, its parameters, and declarations of its statements. */
function scopeOf(node: Node, outer: Scope): Scope {
  const names = [
    ...nodes(node.params).flatMap(namesOf),
    ...(node.type === 'CatchClause' ? namesOf(node.param) : []),
    ...(node.type === 'ForStatement' ? nodes(node.init).flatMap(declaredBy) : []),
    ...(/^For(?:Of|In)Statement$/.test(node.type) ? nodes(node.left).flatMap(declaredBy) : []),
    ...(node.type === 'Program' || node.type === 'BlockStatement'
      ? nodes(node.body).flatMap(declaredBy)
      : []),
  ]
  return names.length === 0 ? outer : new Set([...outer, ...names])
}

function declaredBy(statement: Node): string[] {
  if (isNode(statement.declaration)) return declaredBy(statement.declaration)
  if (statement.type === 'VariableDeclaration')
    return nodes(statement.declarations).flatMap(({ id }) => namesOf(id))
  if (statement.type === 'ImportDeclaration')
    return nodes(statement.specifiers).flatMap(({ local }) => namesOf(local))
  return /^(?:Function|Class)Declaration$/.test(statement.type) ? namesOf(statement.id) : []
}

/** The names that a pattern binds. */
function namesOf(pattern: unknown): string[] {
  if (!isNode(pattern)) return []
  switch (pattern.type) {
    case 'Identifier':
      return [String(pattern.name)]
    case 'ObjectPattern':
      return nodes(pattern.properties).flatMap((property) => namesOf(property.value ?? property.argument))
    case 'ArrayPattern':
      return nodes(pattern.elements).flatMap(namesOf)
    case 'AssignmentPattern':
      return namesOf(pattern.left)
    case 'RestElement':
      return namesOf(pattern.argument)
    case 'TSParameterProperty':
      return namesOf(pattern.parameter)
    default:
      return []
  }
}

function hasFetch(options: Node | undefined): boolean {
  return (
    options?.type === 'ObjectExpression' &&
    nodes(options.properties).some(({ key }) => nameOf(key) === 'fetch')
  )
}
