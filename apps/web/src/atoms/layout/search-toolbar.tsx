import type { ReactNode } from 'react'
import { TextField } from '../controls/text-field.tsx'
import { Toolbar } from './page.tsx'

export interface SearchToolbarProps {
  /** "Find an agent". */
  label: string
  value: string
  onChange(text: string): void
  /** More filters beside it. */
  children?: ReactNode
}

/** The filters above a list; the first is a search by text. */
export function SearchToolbar({ label, value, onChange, children }: SearchToolbarProps) {
  return (
    <Toolbar label={label}>
      <TextField
        label={label}
        isLabelHidden
        type="search"
        placeholder={label}
        value={value}
        onChange={onChange}
      />
      {children}
    </Toolbar>
  )
}
