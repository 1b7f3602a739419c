import { type KeyboardEvent, type RefObject, useMemo, useRef, useState } from 'react'

/** The row of a table whose summary is shown beside it. */
export interface PeekState<Row> {
  /** undefined: the summary is closed, or its row left the list. */
  row: Row | undefined
  panel: RefObject<HTMLElement | null>
  /** Shows another row while the summary is open. */
  follow(index: number): void
  /** Handles a key that was pressed on a row; false: not handled. */
  onKey(event: KeyboardEvent, index: number): boolean
  close(): void
}

/** Space opens and closes the summary, Escape closes it, Tab goes into it. @param focusRow back from the summary to the list */
export function usePeek<Row>(
  rows: readonly Row[],
  idOf: (row: Row) => string,
  focusRow: () => void,
): PeekState<Row> {
  const [id, setId] = useState<string | null>(null)
  const panel = useRef<HTMLElement>(null)
  const row = useMemo(
    () => (id === null ? undefined : rows.find((one) => idOf(one) === id)),
    [rows, idOf, id],
  )
  // A row that reappears later must not open the summary by itself.
  if (id !== null && row === undefined) setId(null)
  const isOpen = row !== undefined
  const show = (index: number) => {
    const shown = rows[index]
    if (shown !== undefined) setId(idOf(shown))
  }
  const close = () => {
    if (panel.current?.contains(document.activeElement)) focusRow()
    setId(null)
  }
  const actionOf = ({ key, shiftKey }: KeyboardEvent, index: number): (() => void) | null => {
    if (key === ' ') return isOpen ? close : () => show(index)
    if (!isOpen) return null
    if (key === 'Escape') return close
    return key === 'Tab' && !shiftKey ? () => panel.current?.focus() : null
  }
  return {
    row,
    panel,
    follow: (index) => isOpen && show(index),
    onKey: (event, index) => {
      const action = actionOf(event, index)
      if (action === null || event.metaKey || event.ctrlKey || event.altKey) return false
      event.preventDefault()
      action()
      return true
    },
    close,
  }
}
