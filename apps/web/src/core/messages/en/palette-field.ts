/** Texts of the field of the command palette, which is there before the rest of it. */
export const paletteFieldWords = {
  label: 'Search or jump to',
  placeholder: 'Find a page, an item or an action, or paste an id',
}
