import { MAX_TOOL_NAME, withSuffix } from '../tool/tool-name.ts'

/** The naming fields of an operation. */
export interface Named {
  id: string | null
  method: string
  path: string
}

/** Names of one operation. */
export interface OperationNames {
  /** The name of its tool. */
  name: string
  /** The name that it would have on its own; several operations may share it. */
  base: string
}

/**
 * The names of all operations of a document, in their order. If operations have equal names, all of them get distinct
 * ones.
 */
export function operationNames(operations: readonly Named[]): OperationNames[] {
  const bases = operations.map(baseName)
  const sharing = new Map<string, { count: number; exact: number[] }>()
  for (const [index, base] of bases.entries()) {
    const group = sharing.get(base) ?? { count: 0, exact: [] }
    group.count += 1
    if (operations[index]?.id === base) group.exact.push(index)
    sharing.set(base, group)
  }
  return operations.map((operation, index) => {
    const base = bases[index] ?? ''
    const { count = 1, exact = [] } = sharing.get(base) ?? {}
    // An operation whose id is the name keeps it. The others are distinguished by their content, not by their position,
    // so that another order or an additional operation never gives one operation the name of another.
    const keepsName = count === 1 || (exact.length === 1 && exact[0] === index)
    return { name: keepsName ? base : withSuffix(base, `${operation.method} ${operation.path}`), base }
  })
}

function baseName({ id, method, path }: Named): string {
  return validName(
    id ?? `${method.toLowerCase()}_${path.replaceAll(/[^A-Za-z0-9]+/g, '_').replaceAll(/^_|_$/g, '')}`,
  )
}

function validName(text: string): string {
  const valid = text
    .slice(0, MAX_TOOL_NAME)
    .replaceAll(/[^A-Za-z0-9_-]/g, '_')
    .replace(/^[^A-Za-z_]/, '_$&')
    .slice(0, MAX_TOOL_NAME)
  return valid === '' ? '_' : valid
}

/** The names of tools with a prefix. Names that would be truncated to the same text get suffixes. */
export function prefixedNames(prefix: string | undefined, names: readonly string[]): string[] {
  const whole = names.map((name) => (prefix ? `${prefix}_${name}` : name))
  const cut = Map.groupBy(whole, (name) => name.slice(0, MAX_TOOL_NAME))
  return whole.map((name) => {
    const short = name.slice(0, MAX_TOOL_NAME)
    return (cut.get(short)?.length ?? 0) > 1 && name !== short ? withSuffix(name, name) : short
  })
}
