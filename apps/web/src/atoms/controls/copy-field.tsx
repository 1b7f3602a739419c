import { Check, Copy, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { atomWords as words } from '../../core/messages/en/atoms.ts'
import { Button } from './button.tsx'
import styles from './copy-field.module.css'
import { copyText } from './copy-text.ts'
import fieldStyles from './field.module.css'
import { TextLink } from './text-link.tsx'

const SAID_MS = 4_000

export interface CopyFieldProps {
  label: string
  text: string
  isLabelHidden?: boolean
  /** Whether the text is a URL that opens in a new tab. */
  isLink?: boolean
  /** False: it is only shown, for example a masked secret. */
  isCopied?: boolean
  /** Focuses the copy button. */
  autoFocus?: boolean
  /** After the text was copied by the button. */
  onCopied?(): void
}

/** A text to copy: an id, a URL, a command. */
export function CopyField(props: CopyFieldProps) {
  const { label, text, isLabelHidden = false, isLink = false, isCopied = true } = props
  const { autoFocus = false, onCopied } = props
  return (
    <div className={fieldStyles.field}>
      {!isLabelHidden && <span className={fieldStyles.label}>{label}</span>}
      <div className={styles.copy}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
        <section className={styles.text} aria-label={label} tabIndex={0}>
          {isLink ? (
            <TextLink href={text} isExternal>
              {text}
            </TextLink>
          ) : (
            text
          )}
        </section>
        {isCopied && <CopyButton {...{ text, autoFocus, onCopied }} label={words.copy(label)} />}
      </div>
    </div>
  )
}

interface CopyButtonProps {
  text: string
  label: string
  autoFocus?: boolean
  onCopied?: (() => void) | undefined
}

/** Copies a text and confirms it for four seconds. */
export function CopyButton({ text, label, autoFocus = false, onCopied }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'notCopied' | null>(null)
  useEffect(() => {
    if (outcome === null) return
    const timer = setTimeout(() => setOutcome(null), SAID_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async () => {
    const isThere = await copyText(text)
    setOutcome(isThere ? 'copied' : 'notCopied')
    if (isThere) onCopied?.()
  }
  const icons = { copied: <Check size={14} />, notCopied: <X size={14} /> }
  return (
    <>
      <Button
        emphasis="quiet"
        size="small"
        aria-label={outcome === null ? label : words[outcome]}
        icon={outcome === null ? <Copy size={14} /> : icons[outcome]}
        autoFocus={autoFocus}
        onPress={copy}
      />
      {outcome === 'notCopied' && (
        <span role="alert" className={styles.failed}>
          {words.notCopied}
        </span>
      )}
    </>
  )
}
