import { type ReactNode, useState } from 'react'

export interface KeptPartProps {
  /** The id of the element, for links to it. */
  id?: string
  isShown: boolean
  className?: string | undefined
  children: ReactNode
}

/** A part that stays in the page once it was shown: unparsable input exists only in its fields. */
export function KeptPart({ id, isShown, className, children }: KeptPartProps) {
  const [wasShown, setWasShown] = useState(isShown)
  if (isShown && !wasShown) setWasShown(true)
  if (!isShown && !wasShown) return null
  return (
    <div id={id} className={className} hidden={!isShown} style={isShown ? {} : { display: 'none' }}>
      {children}
    </div>
  )
}
