import { type RefObject, useEffect, useRef } from 'react'

/** Whether the page that asks is still open, for what a notice runs later. */
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
