/** The values of an editor, and the saved values that they change. */
export interface StoredEdit {
  mine: object
  from: object
  /** The ids of the items of lists in `mine`; absent: it has none, or they are unknown. */
  ids?: object
}

/** A stored edit, with its base version. */
export interface BasedEdit<E extends StoredEdit> {
  edit: E
  /** Empty for a form without versions. */
  base: string
}
