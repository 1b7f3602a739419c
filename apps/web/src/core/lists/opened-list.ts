/** The rows of a list at the time when one of them was opened. */
export interface OpenedList {
  count: number
  /** The page of a row; undefined: none. */
  hrefAt(index: number): string | undefined
}

/** The most recently opened list, for the keys that move along it. */
let opened: OpenedList | null = null

export function keepOpenedList(list: OpenedList): void {
  opened = list
}

const pathOf = (href: string) => href.split(/[?#]/, 1)[0]

/**
 * The neighbour of the row whose page is open, in the most recently opened list. Rows without a page are skipped.
 *
 * @param pathname of the open page
 * @returns its page; `'end'` if no row is left on that side, null if the open page is none of its rows
 */
export function besideOpened(pathname: string, step: 1 | -1): { href: string } | 'end' | null {
  if (opened === null) return null
  const { count, hrefAt } = opened
  let at = 0
  while (at < count && pathOf(hrefAt(at) ?? '') !== pathname) at += 1
  if (at === count) return null
  for (let next = at + step; next >= 0 && next < count; next += step) {
    const href = hrefAt(next)
    if (href !== undefined && pathOf(href) !== pathname) return { href }
  }
  return 'end'
}
