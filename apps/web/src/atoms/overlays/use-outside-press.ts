import { useRef } from 'react'

/** Longer than the time between the two presses of a double click. */
const DOUBLE_CLICK_MS = 500

/** Whether a press beside a dialog should close it: the second one of a double click, whose first one opened it, should not. */
export function useOutsidePress(isOpen: boolean): () => boolean {
  const opened = useRef({ isOpen: false, atMs: 0 })
  if (isOpen !== opened.current.isOpen) opened.current = { isOpen, atMs: performance.now() }
  return () => performance.now() - opened.current.atMs > DOUBLE_CLICK_MS
}
