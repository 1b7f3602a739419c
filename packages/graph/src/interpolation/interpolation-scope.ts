/** A value, or why there is none. */
export type Found = { ok: true; value: unknown } | { ok: false; reason: string }

/** What the four namespaces mean at one place. */
export interface InterpolationScope {
  trigger: unknown
  /** The output of a node that comes before, in this frame or one around it. */
  upstream(nodeId: string): Found
  variables: ReadonlyMap<string, unknown>
  /** The innermost Loop; null outside a body. */
  loop: { item: unknown; index: number } | null
}
