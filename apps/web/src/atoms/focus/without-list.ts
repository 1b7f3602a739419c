/** A field that opens its list on focus would cover the messages of the page; the button in it does not. */
export function withoutList(field: Element): Element {
  return field.role === 'combobox' ? (field.parentElement?.querySelector('button') ?? field) : field
}
