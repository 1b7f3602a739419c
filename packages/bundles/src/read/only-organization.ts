import { ProblemList } from './problem-list.ts'
import type { ReadBundle } from './read-bundle.ts'

/**
 * Limits a bundle to one organization. Every other one is a problem and is left out before anything of it is looked up,
 * so that nobody learns about the organizations of others.
 */
export function onlyOrganization(read: ReadBundle, own: { id: string; slug: string }): ReadBundle {
  const problems = new ProblemList(read.lines, read.problems)
  const [first, ...others] = read.organizations.filter(({ path, value: { id, slug } }) => {
    const isOwn = id === undefined ? slug === own.slug : id === own.id
    if (!isOwn) problems.add(`${path}.slug`, `must be ${own.slug}: a member changes one organization`)
    return isOwn
  })
  for (const { path } of others) problems.add(path, 'is the same organization again')
  return { ...read, organizations: first ? [first] : [], problems: problems.found }
}
