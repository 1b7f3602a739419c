/** The dimensions by which usage is grouped. */
export const USAGE_DIMENSIONS = ['day', 'agent', 'team', 'workflow', 'model', 'key', 'user', 'tag'] as const

export type UsageDimension = (typeof USAGE_DIMENSIONS)[number]
