import { type ReactNode, useEffect, useRef, useState } from 'react'
import { TextField } from '../controls/text-field.tsx'
import { Toolbar } from './page.tsx'

export interface SearchToolbarProps {
  /** "Find an agent". */
  label: string
  value: string
  /** Called when the typing pauses, or the field is left. */
  onChange(text: string): void
  /** More filters beside it. */
  children?: ReactNode
}

/** The filters above a list; the first is a search by text. */
export function SearchToolbar({ label, value, onChange, children }: SearchToolbarProps) {
  const { text, type, settle } = useSettledText(value, onChange)
  return (
    <Toolbar label={label}>
      <TextField
        label={label}
        isLabelHidden
        type="search"
        placeholder={label}
        value={text}
        onChange={type}
        onBlur={settle}
      />
      {children}
    </Toolbar>
  )
}

/** A pause of typing: shorter than waiting for the list, longer than between two keys. */
const PAUSE_MS = 180

/**
 * A text that is shown immediately and reported when the typing pauses, so that the page is not rendered for each key.
 * The URL follows a report with a delay; a value that was not reported comes from elsewhere, such as the back button,
 * and wins.
 */
function useSettledText(value: string, onChange: (text: string) => void) {
  const [text, setText] = useState(value)
  const reported = useRef<string[]>([value])
  const settle = () => {
    if (text === reported.current.at(-1)) return
    reported.current.push(text)
    onChange(text)
  }
  const latest = useRef(settle)
  latest.current = settle
  useEffect(() => {
    const index = reported.current.lastIndexOf(value)
    reported.current = index === -1 ? [value] : reported.current.slice(index)
    if (index === -1) setText(value)
  }, [value])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each key restarts the pause
  useEffect(() => {
    const timer = setTimeout(() => latest.current(), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return { text, type: setText, settle }
}
