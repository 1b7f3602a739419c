/** Texts of a page for a deleted item. */
export const goneWords = {
  /** The time follows. */
  deletedBy: (who: string, name: string | null) => `${who} deleted ${name === null ? 'it' : `“${name}”`} `,
  ask: (detail: string, refusal: string) => `${detail} The audit log says who deleted it. ${refusal}`,
} as const
