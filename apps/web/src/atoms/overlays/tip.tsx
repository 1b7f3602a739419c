import type { ReactNode } from 'react'
import { Tooltip, TooltipTrigger } from 'react-aria-components'
import styles from './tip.module.css'

export interface TipProps {
  text: string
  /** As shown: `G A`. */
  keys?: string
  /** A button or a link. */
  children: ReactNode
}

/** A word on pointing or focus. Never the only place of something that must be known. */
export function Tip({ text, keys, children }: TipProps) {
  return (
    <TooltipTrigger delay={500} closeDelay={0}>
      {children}
      <Tooltip className={styles.tip ?? ''} offset={6}>
        {text}
        {keys && (
          <kbd translate="no" className={styles.keys}>
            {keys}
          </kbd>
        )}
      </Tooltip>
    </TooltipTrigger>
  )
}
