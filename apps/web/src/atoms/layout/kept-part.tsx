import { type ReactNode, useState } from 'react'

export interface KeptPartProps {
  isShown: boolean
  className?: string | undefined
  children: ReactNode
}

/** A part that stays in the page once it was shown: what is typed there and cannot be read yet is only in its fields. */
export function KeptPart({ isShown, className, children }: KeptPartProps) {
  const [wasShown, setWasShown] = useState(isShown)
  if (isShown && !wasShown) setWasShown(true)
  if (!isShown && !wasShown) return null
  return (
    <div className={className} hidden={!isShown} style={isShown ? {} : { display: 'none' }}>
      {children}
    </div>
  )
}
