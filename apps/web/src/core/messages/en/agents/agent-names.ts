/** What one agent, all of them, and their states are called. */
export const agentNameWords = {
  title: 'Agents',
  one: 'Agent',
  statuses: { draft: 'Draft', active: 'Active', archived: 'Archived' },
} as const
