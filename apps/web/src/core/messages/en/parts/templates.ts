export const templateWords = {
  title: 'Start with',
  search: 'Find a template',
  none: 'No template contains these words.',
  emptyAgent: 'Empty agent',
  emptyAgentDetail: 'Only a name; add instructions later.',
  ownTeam: 'Your agents',
  ownTeamDetail: 'A mode, and two or more of your agents.',
  importBundle: 'Import a bundle instead',
  needs: (sentence: string) => `Next: ${sentence}`,
  makes: (names: readonly string[]) => `Creates the agents ${names.join(', ')} with the team.`,
} as const
