/** Moves the focus along the rows of a list; initially to its current row. */
export type MoveAlong = (step: 1 | -1) => void

/** The lists on the page, in the order in which they came. */
const lists: MoveAlong[] = []

/** Offers a list to the keys of the page. @returns withdraws it */
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
