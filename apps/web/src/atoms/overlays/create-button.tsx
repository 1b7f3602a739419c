import { Plus } from 'lucide-react'
import { LinkButton } from '../controls/text-link.tsx'
import { RefusableButton, type RefusableButtonProps } from './refusable-button.tsx'

/** The primary action of a list: "New agent". In the header of a page, a phone shows its plus alone. */
export function CreateButton({ children, ...button }: RefusableButtonProps) {
  return (
    <RefusableButton emphasis="primary" icon={<Plus size={16} />} {...button}>
      <span data-create>{children}</span>
    </RefusableButton>
  )
}

interface CreateLinkProps {
  /** The page on which it is created. */
  href: string
  /** Why this person may not; null: they may. */
  refusal: string | null
  children: string
}

/** A {@link CreateButton} that leads to a page of its own. */
export function CreateLink({ href, refusal, children }: CreateLinkProps) {
  if (refusal !== null) return <CreateButton refusal={refusal}>{children}</CreateButton>
  return (
    <LinkButton emphasis="primary" icon={<Plus size={16} />} href={href}>
      <span data-create>{children}</span>
    </LinkButton>
  )
}
