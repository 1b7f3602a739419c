/** A value, or why it is absent. */
export type Found = { ok: true; value: unknown } | { ok: false; reason: string }

/** The names of a form's fields and of its file fields, with the ids of the triggers that output them. */
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
  /** The file fields of the graph's form, and the steps that output them. */
  formFiles?: FormFiles
  /** Whether an absent field of the form is missing instead of null, as `exists` requires. */
  isLeftOutMissing?: boolean
  /** The innermost Loop; null outside a body. */
  loop: { item: unknown; index: number } | null
}
