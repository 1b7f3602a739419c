export const duplicateWords = {
  title: (name: string) => `Duplicate “${name}”`,
  action: 'Duplicate',
  name: 'Name of the copy',
  nameDetail: 'Empty: the name of the original, marked as a copy.',
  project: 'Project',
  wholeOrganization: 'Whole organization',
} as const
