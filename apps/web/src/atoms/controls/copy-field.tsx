import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { atomWords as words } from '../../core/messages/en/atoms.ts'
import { showNotice } from '../overlays/notice-store.ts'
import { Button } from './button.tsx'
import styles from './copy-field.module.css'
import { copyText } from './copy-text.ts'
import fieldStyles from './field.module.css'

export interface CopyFieldProps {
  label: string
  text: string
  isLabelHidden?: boolean
  /** False: it is only shown, for example a masked secret. */
  isCopied?: boolean
}

/** A text to take away: an id, a URL, a command. */
export function CopyField({ label, text, isLabelHidden = false, isCopied = true }: CopyFieldProps) {
  return (
    <div className={fieldStyles.field}>
      {!isLabelHidden && <span className={fieldStyles.label}>{label}</span>}
      <div className={styles.copy}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
        <section className={styles.text} aria-label={label} tabIndex={0}>
          {text}
        </section>
        {isCopied && <CopyButton text={text} label={words.copy(label)} />}
      </div>
    </div>
  )
}

/** Copies a text and says so for two seconds. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2_000)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <Button
      emphasis="quiet"
      size="small"
      aria-label={copied ? words.copied : label}
      icon={copied ? <Check size={14} /> : <Copy size={14} />}
      onPress={async () => {
        const isThere = await copyText(text)
        setCopied(isThere)
        if (!isThere) showNotice({ title: words.notCopied, tone: 'bad' })
      }}
    />
  )
}
