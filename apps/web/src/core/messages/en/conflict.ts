/** Texts of the dialog about a resource that another user has changed in the meantime. */
export const conflictWords = {
  title: (who: string | null, what: string, when: string) =>
    `${who ?? 'Somebody'} changed this ${what} ${when}`,
  kept: 'Your changes are kept. Nothing is saved until you decide.',
  takeTheirs: 'Take theirs',
  keepMine: 'Keep mine',
  merge: 'Merge both',
} as const
