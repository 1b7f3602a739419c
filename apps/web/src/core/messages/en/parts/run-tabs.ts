/** Texts of the tabs above runs, conversations and memories. */
export const runTabWords = {
  label: 'What ran',
  runs: 'Runs',
  sessions: 'Conversations',
  memories: 'Memories',
} as const
