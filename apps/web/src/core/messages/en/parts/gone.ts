/** Texts of a page whose thing is not there any more. */
export const goneWords = {
  /** The time follows. */
  deletedBy: (who: string, name: string | null) => `${who} deleted ${name === null ? 'it' : `“${name}”`} `,
} as const
