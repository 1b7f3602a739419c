import { Pin } from 'lucide-react'
import { Badge } from '../../../atoms/states/badge.tsx'
import { pinWords as words } from '../../../core/messages/en/workflows/pins.ts'
import type { ShownPin } from './use-pins.ts'

export interface PinMarkProps extends Pick<ShownPin, 'isOlder'> {
  /** Without its label, beside another mark. */
  isIcon?: boolean
}

/** Marks a step with a pinned output. Screen readers read {@link pinSpoken} as part of the step's name. */
export function PinMark({ isOlder, isIcon = false }: PinMarkProps) {
  const tone = isOlder ? 'warn' : 'info'
  const icon = <Pin size={12} aria-hidden="true" />
  const word = isOlder ? words.markOlder : words.mark
  return (
    <Badge tone={tone} icon={icon}>
      {isIcon ? null : word}
    </Badge>
  )
}

export const pinSpoken = ({ isOlder }: Pick<ShownPin, 'isOlder'>): string =>
  isOlder ? words.pinnedOlder : words.pinned
