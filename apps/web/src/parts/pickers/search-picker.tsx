import { type ReactNode, useState } from 'react'
import { ComboBox } from '../../atoms/controls/combo-box.tsx'
import type { Option } from '../../atoms/controls/option-list.tsx'

export interface SearchPickerProps {
  label: string
  isLabelHidden?: boolean
  description?: ReactNode
  error?: string | null
  placeholder?: string
  isOptional?: boolean
  isDisabled?: boolean
  /** As in the combo box. */
  opensOnFocus?: boolean
  /** A filter: a chosen resource is tinted, with a button that clears it. */
  isFilter?: boolean
  /** The id; null: nothing is chosen. */
  value: string | null
  /** The name of the selected resource; null: not loaded, or deleted. A deleted one is shown by its id. */
  name: string | null
  /** The matches of the typed text. */
  options: readonly Option[]
  onType(text: string): void
  /** The server has not responded to the typed text yet. */
  isSearching?: boolean
  /** Called when the focus leaves the field. */
  onLeave?(): void
  /** null: the field was emptied. */
  onChange(id: string | null): void
}

/** One of many resources, which the server finds by the typed text. */
export function SearchPicker({
  value,
  name,
  options,
  onType,
  isSearching = false,
  onChange,
  onLeave,
  isFilter = false,
  ...field
}: SearchPickerProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const chosen = value === null ? null : (name ?? (isSearching ? '…' : value))
  const isListed = value === null || options.some(({ id }) => id === value)
  const search = (text: string | null) => {
    setTyped(text)
    // A selected resource is not a search text.
    onType(text === null || text === chosen ? '' : text)
  }
  return (
    <ComboBox
      {...field}
      value={value}
      options={isListed || chosen === null ? options : [...options, { id: value ?? '', label: chosen }]}
      search={{ text: typed ?? chosen ?? '', onChange: search, isPending: isSearching }}
      onChange={(id) => {
        if (id === null && typed !== '') return
        search(null)
        if (id !== value) onChange(id)
      }}
      {...(isFilter && {
        onClear: () => {
          search(null)
          onChange(null)
        },
      })}
      // Typed text without a selection would look like one.
      onLeave={() => {
        search(null)
        onLeave?.()
      }}
    />
  )
}
