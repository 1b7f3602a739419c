import { Search } from 'lucide-react'
import { Button } from '../../atoms/controls/button.tsx'
import { shellStateWords } from '../../core/messages/en/shell-states.ts'
import { useKeyBindings } from '../../infrastructure/keys/use-keys.ts'

/** Opens the palette on the page of a missing resource. Nothing on pages without one. */
export function SearchAction() {
  const palette = useKeyBindings().findLast(({ keys }) => keys === 'mod+k')
  if (!palette) return null
  return (
    <Button icon={<Search size={14} />} onPress={palette.run}>
      {shellStateWords.gone.search}
    </Button>
  )
}
