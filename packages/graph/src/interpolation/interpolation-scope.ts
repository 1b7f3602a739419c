/** A value, or why there is none. */
export type Found = { ok: true; value: unknown } | { ok: false; reason: string }

/** The names of file fields, and the ids of the triggers whose output has them. */
export interface FormFiles {
  fields: ReadonlySet<string>
  triggers: ReadonlySet<string>
}

/** The values of the four namespaces as one node sees them. */
export interface InterpolationScope {
  trigger: unknown
  /** The output of an earlier node in this frame or an enclosing one. */
  upstream(nodeId: string): Found
  variables: ReadonlyMap<string, unknown>
  /** The files that the form of the graph asks for, and the steps that bring them. */
  formFiles?: FormFiles
  /** The innermost Loop; null outside a body. */
  loop: { item: unknown; index: number } | null
}
