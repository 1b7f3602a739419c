import { useState } from 'react'
import type { Option } from '../../atoms/controls/option-list.tsx'
import { Select, type SelectProps } from '../../atoms/controls/select.tsx'
import { SearchPicker } from './search-picker.tsx'

/** Maximum number of options in a menu; with more, the field is a search. */
const FEW = 40
const OFFERED = 50

/** One item of a complete list: selected from a menu if there are few, searched if there are many. */
export function OptionPicker(props: SelectProps<string>) {
  return props.options.length <= FEW ? <Select {...props} /> : <ManyOptions {...props} />
}

function ManyOptions({ options, value, onChange, ...field }: SelectProps<string>) {
  const [typed, setTyped] = useState('')
  const needle = typed.trim().toLowerCase()
  const matches = ({ label, detail = '' }: Option) => `${label} ${detail}`.toLowerCase().includes(needle)
  return (
    <SearchPicker
      {...field}
      value={value}
      name={options.find(({ id }) => id === value)?.label ?? null}
      options={options.filter(matches).slice(0, OFFERED)}
      onType={setTyped}
      onChange={(id) => id !== null && onChange(id)}
    />
  )
}
