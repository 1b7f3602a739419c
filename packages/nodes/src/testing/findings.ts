import { NODE_TYPES, type NodeTypeName } from '../definitions.ts'

/** A type's findings in a config: `path message`, prefixed with the severity when it does not block. */
export function findings(type: NodeTypeName, config: Record<string, unknown>): string[] {
  const found = NODE_TYPES.get(type)?.check(config) ?? []
  return found.map(({ severity, path, message }) =>
    `${severity === 'block' ? '' : `${severity}: `}${path} ${message}`.trim(),
  )
}
