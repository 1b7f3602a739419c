import { Plus } from 'lucide-react'
import { RefusableButton, type RefusableButtonProps } from './refusable-button.tsx'

/** The primary action of a list: "New agent". In the header of a page, a phone shows its plus alone. */
export function CreateButton({ children, ...button }: RefusableButtonProps) {
  return (
    <RefusableButton emphasis="primary" icon={<Plus size={16} />} {...button}>
      <span data-create>{children}</span>
    </RefusableButton>
  )
}
