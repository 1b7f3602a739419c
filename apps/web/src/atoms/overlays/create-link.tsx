import { Plus } from 'lucide-react'
import { LinkButton } from '../controls/text-link.tsx'
import { CreateButton } from './create-button.tsx'

interface CreateLinkProps {
  /** The page on which it is created. */
  href: string
  /** The reason that the user may not create one; null: allowed. */
  refusal: string | null
  children: string
}

/** A {@link CreateButton} that opens a separate page. */
export function CreateLink({ href, refusal, children }: CreateLinkProps) {
  if (refusal !== null) return <CreateButton refusal={refusal}>{children}</CreateButton>
  return (
    <LinkButton emphasis="primary" icon={<Plus size={16} />} href={href}>
      <span data-create>{children}</span>
    </LinkButton>
  )
}
