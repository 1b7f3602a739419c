/** Texts of the question about a resource that somebody else has changed in the meantime. */
export const conflictWords = {
  title: (who: string | null, what: string, when: string) =>
    `${who ?? 'Somebody'} changed this ${what} ${when}`,
  kept: 'Your changes are kept. Nothing is saved until you decide.',
  takeTheirs: 'Take theirs',
  keepMine: 'Keep mine',
  merge: 'Merge both',
} as const
