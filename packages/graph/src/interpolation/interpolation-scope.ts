/** A value, or why there is none. */
export type Found = { ok: true; value: unknown } | { ok: false; reason: string }

/** The values of the four namespaces as one node sees them. */
export interface InterpolationScope {
  trigger: unknown
  /** The output of an earlier node in this frame or an enclosing one. */
  upstream(nodeId: string): Found
  variables: ReadonlyMap<string, unknown>
  /** The innermost Loop; null outside a body. */
  loop: { item: unknown; index: number } | null
}
