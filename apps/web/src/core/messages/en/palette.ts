/** Texts of the command palette. */
export const paletteWords = {
  label: 'Search or jump to',
  placeholder: 'Find a page, a thing or an action, or paste an id',
  places: 'Go to',
  actions: 'Actions',
  found: 'Found',
  create: {
    agent: 'Create an agent',
    team: 'Create a team',
    key: 'Create an API key',
    member: 'Invite a member',
  },
  theme: (name: string) => `Theme: ${name}`,
  empty: (text: string) => `Nothing found for “${text}”.`,
} as const
