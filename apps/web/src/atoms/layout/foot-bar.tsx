import { type ReactNode, useRef } from 'react'
import { useFoot } from './use-foot.ts'

/** A bar that sticks to the foot of the window; notices stand above it. Drawn only while it has something. */
export function FootBar({ className, children }: { className: string | undefined; children: ReactNode }) {
  const bar = useRef<HTMLDivElement>(null)
  useFoot(bar)
  return (
    <div ref={bar} className={className}>
      {children}
    </div>
  )
}
