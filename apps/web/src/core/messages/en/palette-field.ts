/** Texts of the field of the command palette, which is loaded before the rest. */
export const paletteFieldWords = {
  label: 'Search or jump to',
  placeholder: 'Find a page, an item or an action, or paste an id',
}
