/** The rows of a list as they stood when one of them was opened. */
export interface OpenedList {
  count: number
  /** Where a row leads; undefined: nowhere. */
  hrefAt(index: number): string | undefined
}

/** The list that was opened last, for the keys that go on along it. */
let opened: OpenedList | null = null

export function keepOpenedList(list: OpenedList): void {
  opened = list
}

const pathOf = (href: string) => href.split(/[?#]/, 1)[0]

/**
 * The row beside the one whose page is open, in the list that was opened last. Rows that lead to no page of their own are left out.
 *
 * @param pathname of the open page
 * @returns where it leads; `'end'` when no row is left on that side, null on a page that is none of its rows
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
