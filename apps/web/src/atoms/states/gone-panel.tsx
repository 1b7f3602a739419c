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
}

/** Shown instead of an item that was deleted or never existed. */
export function GonePanel({ title, detail, href, label, restore, search }: GonePanelProps) {
  return (
    <Empty
      look="place"
      picture={<SearchX size={22} />}
      title={title}
      actions={
        <>
          {restore}
          <LinkButton href={href}>{label}</LinkButton>
          {search}
        </>
      }
    >
      {detail}
    </Empty>
  )
}
