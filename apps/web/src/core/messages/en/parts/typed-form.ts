/** Texts of forms that keep their input until it is sent. */
export const typedFormWords = {
  restored: 'You typed this earlier and did not send it.',
  startOver: 'Start over',
  contested: (fields: readonly string[]) =>
    `${new Intl.ListFormat('en').format(fields)} ${fields.length === 1 ? 'was' : 'were'} changed in the meantime. Your input is kept, and replaces it when you save.`,
  contestedForm: 'Somebody changed this in the meantime. Your input is kept, and replaces it when you save.',
  takeTheirs: 'Take theirs',
} as const
