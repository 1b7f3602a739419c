import { useState } from 'react'
import type { HeldLeave } from '../../infrastructure/routing/leave-guard.ts'

/** The closing of a dialog that shows a secret for the only time. */
export interface SecretClosing {
  /** Closes by Escape or the close button, which may be pressed by mistake: asks first, unless the secret was copied. */
  close(): void
  /** For the guard of the dialog: a pending question. */
  held: HeldLeave | null
  onCopied(): void
}

/** @param secret null: none is shown, and closing needs no confirmation */
export function useSecretClosing(secret: string | null, close: () => void): SecretClosing {
  const [copied, setCopied] = useState<string | null>(null)
  const [isAsked, setAsked] = useState(false)
  const stay = () => setAsked(false)
  const leave = () => {
    stay()
    close()
  }
  return {
    close: () => (secret === null || secret === copied ? close() : setAsked(true)),
    held: isAsked ? { leave, stay } : null,
    onCopied: () => setCopied(secret),
  }
}
