import type { ReactNode } from 'react'
import { Tooltip, TooltipTrigger } from 'react-aria-components'
import styles from './tip.module.css'

export interface TipProps {
  text: string
  /** A button or a link. */
  children: ReactNode
}

/** A tooltip on hover or focus. Never the only place of necessary information. */
export function Tip({ text, children }: TipProps) {
  return (
    <TooltipTrigger delay={500} closeDelay={0}>
      {children}
      <Tooltip className={styles.tip ?? ''} offset={6}>
        {text}
      </Tooltip>
    </TooltipTrigger>
  )
}
