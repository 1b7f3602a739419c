export const moveWords = {
  entry: 'Move to project…',
  entryMany: 'Move to project',
  title: (name: string) => `Move “${name}”`,
  titleMany: (count: number) => `Move ${count} items`,
  action: 'Move',
  project: 'Project',
  where: 'Move to',
  choose: 'Choose a project',
  wholeOrganization: 'Whole organization',
  own: (project: string | null) => project ?? 'Whole organization',
  failed: 'Nothing was moved',
  checkFailed: 'The move could not be checked',
  checking: 'Checking references…',
  prevented: (count: number) => (count === 1 ? 'It cannot be moved there:' : 'They cannot be moved there:'),
  /** `problem` is a predicate whose subject is the resource. */
  problem: (name: string, problem: string) => `“${name}” ${problem}.`,
  usedBy: (count: number) => `Used by ${count}`,
  usedByMore: (count: number) => `and ${count} more`,
  changes: 'What changes:',
  moved: (count: number, project: string | null) =>
    `${count === 1 ? 'Moved' : `${count} moved`} to ${project ?? 'the whole organization'}`,
  chosen: (count: number, elsewhere: number) =>
    `${count} selected${elsewhere > 0 ? `, ${elsewhere} not shown` : ''}`,
  clearChosen: 'Clear selection',
  tooMany: (most: number) => `At most ${most} items can be moved at once.`,
} as const
