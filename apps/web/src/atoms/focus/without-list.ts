/** A field that opens its list when it is focused would cover the page, and what is said there; the button in it does not. */
export function withoutList(field: Element): Element {
  return field.role === 'combobox' ? (field.parentElement?.querySelector('button') ?? field) : field
}
