/** Texts of the tabs above runs, conversations and memories. */
export const runTabWords = {
  label: 'Runs, conversations and memories',
  runs: 'Runs',
  sessions: 'Conversations',
  memories: 'Memories',
} as const
