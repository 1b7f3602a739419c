import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { LinkButton } from '../controls/text-link.tsx'
import { Empty } from './panels.tsx'

export interface GonePanelProps {
  /** "Skill not found". */
  title: string
  /** The possible reasons of its absence. */
  detail: ReactNode
  /** The list of the other items. */
  href: string
  label: string
  /** A button that restores it, if possible. */
  restore?: ReactNode
  /** A search for other items. */
  search?: ReactNode
  /** `page`, where this is all of a page, whose layout is then bare; `part`, beside or above other things. */
  look?: 'page' | 'part'
}

/** Shown instead of an item that was deleted or never existed. */
export function GonePanel(props: GonePanelProps) {
  const { title, detail, href, label, restore, search, look = 'page' } = props
  return (
    <Empty
      look={look === 'page' ? 'page' : 'place'}
      picture={<SearchX size={22} />}
      title={title}
      actions={
        <>
          {restore}
          <LinkButton href={href} {...(restore ? {} : { emphasis: 'primary' })}>
            {label}
          </LinkButton>
          {search}
        </>
      }
    >
      {detail}
    </Empty>
  )
}
