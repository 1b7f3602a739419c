/** The target of a token; `keys` is the path below it. */
export type TokenPath =
  | { namespace: 'trigger'; keys: readonly string[] }
  | { namespace: 'upstream'; nodeId: string; keys: readonly string[] }
  | { namespace: 'variables'; name: string; keys: readonly string[] }
  | { namespace: 'loop.item'; keys: readonly string[] }
  | { namespace: 'loop.index'; keys: readonly [] }
  | { namespace: null; reason: string }

const malformed = (reason: string): TokenPath => ({ namespace: null, reason })

/** Parses the inside of a token: one of four namespaces and a dotted path, no operators or functions. */
export function parsePath(inner: string): TokenPath {
  if (inner === '') return malformed('it is empty')
  const [namespace, ...keys] = inner.split('.')
  if (keys.some((key) => key === '')) return malformed('a name between two dots is missing')
  if (keys.some((key) => key !== key.trim())) return malformed('there is space around a dot')
  const [first, second] = keys
  switch (namespace) {
    case 'trigger':
      return { namespace, keys }
    case 'upstream':
      return first !== undefined && second === 'output'
        ? { namespace, nodeId: first, keys: keys.slice(2) }
        : malformed('write upstream.<nodeId>.output')
    case 'variables':
      return first === undefined
        ? malformed('write variables.<name>')
        : { namespace, name: first, keys: keys.slice(1) }
    case 'loop':
      if (first === 'item') return { namespace: 'loop.item', keys: keys.slice(1) }
      if (first === 'index' && second === undefined) return { namespace: 'loop.index', keys: [] }
      return malformed('write loop.item or loop.index')
    default:
      return malformed(`"${namespace?.trim()}" is not one of: trigger, upstream, variables, loop`)
  }
}
