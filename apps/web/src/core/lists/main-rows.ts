/** Moves the focus along the rows of a list; initially to its current row. */
export type MoveAlong = (step: 1 | -1) => void

/** The lists on the page, in the order of their registration. */
const lists: MoveAlong[] = []

/** Registers a list for the page's keys. @returns a function that unregisters it */
export function offerRows(move: MoveAlong): () => void {
  lists.push(move)
  return () => {
    lists.splice(lists.indexOf(move), 1)
  }
}

/** Moves along the main list of the page: the first one. Without lists nothing happens. */
export function moveAlongMain(step: 1 | -1): void {
  lists[0]?.(step)
}
