/** A value, or why there is none. */
export type Found = { ok: true; value: unknown } | { ok: false; reason: string }

/** The names of a form's fields and of those for files, and the ids of the triggers whose output has them. */
export interface FormFiles {
  answers: ReadonlySet<string>
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
  /** Whether a field of the form that was left out is missing instead of null, as `exists` asks. */
  isLeftOutMissing?: boolean
  /** The innermost Loop; null outside a body. */
  loop: { item: unknown; index: number } | null
}
