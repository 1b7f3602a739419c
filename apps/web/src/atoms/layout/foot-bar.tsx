import { type ReactNode, type RefObject, useRef } from 'react'
import { useFoot } from './use-foot.ts'

interface FootBarProps {
  className: string | undefined
  /** Set to the element of the bar. */
  bar?: RefObject<HTMLDivElement | null>
  children: ReactNode
}

/**
 * A bar that sticks to the bottom of the window; notices are above it. Rendered only while it has content.
 */
export function FootBar({ className, bar: given, children }: FootBarProps) {
  const own = useRef<HTMLDivElement>(null)
  const bar = given ?? own
  useFoot(bar)
  return (
    <div ref={bar} className={className}>
      {children}
    </div>
  )
}
