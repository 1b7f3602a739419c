import type { FlowNode } from '../compile/compiled-graph.ts'

/** Maximum characters of a path: that of the deepest frame possible, 64 Loops with ids of 64 characters. */
const MAX_PATH = 64 * (64 + 12)

/** The path of an iteration of a Loop in the frame with the path `around`. */
export function iterationPath(around: string, loop: FlowNode, index: number): string {
  return `${around === '' ? '' : `${around}/`}${loop.id}[${index}]`
}

/**
 * The segments of a path of iterations: `loop1[3]/inner[0]`; null if it is invalid. A frame has exactly one path, so
 * `loop1[03]` is invalid.
 */
export function readFramePath(path: string): { loopId: string; index: number }[] | null {
  if (path === '') return []
  if (path.length > MAX_PATH) return null
  const found: { loopId: string; index: number }[] = []
  for (const segment of path.split('/')) {
    const [, loopId, index] = /^([A-Za-z0-9_-]{1,64})\[(0|[1-9]\d{0,8})\]$/.exec(segment) ?? []
    if (loopId === undefined || index === undefined) return null
    found.push({ loopId, index: Number(index) })
  }
  return found
}
