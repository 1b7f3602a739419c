import { type ReactNode, type RefObject, useRef } from 'react'
import { useFoot } from './use-foot.ts'

interface FootBarProps {
  className: string | undefined
  /** For who must find it. */
  bar?: RefObject<HTMLDivElement | null>
  children: ReactNode
}

/** A bar that sticks to the foot of the window; notices stand above it. Drawn only while it has something. */
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
