/** The values of an editor, and those that they were made from. */
export interface StoredEdit {
  mine: object
  from: object
}

/** A stored edit, with its base version. */
export interface BasedEdit<E extends StoredEdit> {
  edit: E
  /** Empty for a form without versions. */
  base: string
}
