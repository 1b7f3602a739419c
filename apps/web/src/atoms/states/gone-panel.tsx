import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { LinkButton } from '../controls/text-link.tsx'
import { Empty } from './panels.tsx'

export interface GonePanelProps {
  /** "There is no such skill". */
  title: string
  /** What may have become of it. */
  detail: ReactNode
  /** Where the others are. */
  href: string
  label: string
  /** How it comes back, for what can. */
  restore?: ReactNode
  /** How others are found. */
  search?: ReactNode
}

/** Instead of a thing that is not there any more, or never was. */
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
