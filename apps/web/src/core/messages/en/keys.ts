/** Texts of the list of keyboard shortcuts. */
export const keyListWords = {
  letterKeys: 'Single-letter shortcuts',
  letterKeysDetail: (search: string) =>
    `Switch them off if you use speech input. ${search} and Esc keep working.`,
  rowKeys: {
    title: 'In lists',
    move: 'Move between rows',
    open: 'Open the row',
    peek: 'Preview the row',
    choose: 'Select the row, where rows can be selected',
  },
} as const
