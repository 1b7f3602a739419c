import { type RefObject, useEffect, useRef } from 'react'

/** Whether the calling page is still open, for a later action of a notice. */
export function useIsOpen(): RefObject<boolean> {
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])
  return isOpen
}
