import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest, most first. A worker that began one of them last would work alone until it ends. */
const LONGEST = [
  'apps/web/test/budgets.test.ts',
  'packages/http/src/rate-limits.test.ts',
  'apps/server/src/boot/welcome.test.ts',
  'apps/server/test/teams/toggles.test.ts',
  'examples/workflows/workflows.test.ts',
]

const placeOf = ({ moduleId }: TestSpecification) => {
  const place = LONGEST.findIndex((path) => moduleId.endsWith(path))
  return place === -1 ? LONGEST.length : place
}

/** Starts the longest files first, also in a new clone, where nothing has been timed yet. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}
