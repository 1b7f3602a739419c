export const templateWords = {
  title: 'Begin with',
  search: 'Find a template',
  none: 'No template has these words.',
  emptyAgent: 'Empty agent',
  emptyAgentDetail: 'A name; instructions come afterwards.',
  ownTeam: 'Agents that you have',
  ownTeamDetail: 'A mode, and two or more of your agents.',
  importBundle: 'Import a bundle instead',
  needs: (sentence: string) => `Afterwards: ${sentence}`,
  makes: (names: readonly string[]) => `Creates the agents ${names.join(', ')} with the team.`,
} as const
