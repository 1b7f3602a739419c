import type { CSSProperties, MouseEvent, ReactNode } from 'react'
import { useNavigateTo } from './link-navigation.tsx'

export interface SilentLinkProps {
  href: string
  className?: string | undefined
  style?: CSSProperties
  title?: string
  'aria-label'?: string
  children?: ReactNode
}

/** A link without a tab stop, because its container leads to the same page by keyboard: a table row, a list. */
export function SilentLink({ href, ...look }: SilentLinkProps) {
  const navigate = useNavigateTo()
  const onClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    navigate(href)
  }
  return <a {...look} href={href} tabIndex={-1} onClick={onClick} />
}
