import type { OperationName } from '../../infrastructure/client/operation-types.ts'
import { SearchPicker, type SearchPickerProps } from './search-picker.tsx'
import type { SearchedList } from './searched-lists.ts'
import { useChoices } from './use-choices.ts'

export interface ListPickerProps<Name extends OperationName, Thing>
  extends Omit<SearchPickerProps, 'name' | 'options' | 'onType' | 'isSearching'> {
  list: SearchedList<Name, Thing>
  /** Whether it may be chosen; absent: all of them. */
  isOffered?: (thing: Thing) => boolean
}

const EVERY = () => true

/** A resource of a list, found by its name. A failure to load the list is shown unless the field has its own error. */
export function ListPicker<Name extends OperationName, Thing>(props: ListPickerProps<Name, Thing>) {
  const { list, isOffered = EVERY, value, error, ...field } = props
  const choices = useChoices(list, value === null ? [] : [value])
  const chosen = value === null ? undefined : choices.thing(value)
  return (
    <SearchPicker
      {...field}
      value={value}
      name={chosen === undefined ? null : list.nameOf(chosen)}
      options={choices.found
        .filter(isOffered)
        .map((one) => ({ id: list.idOf(one), label: list.nameOf(one) }))}
      onType={choices.onType}
      isSearching={choices.isSearching}
      error={error ?? choices.failure?.message ?? null}
    />
  )
}
