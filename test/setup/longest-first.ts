import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The slowest files, slowest first. A worker that started one of them last would run alone until its end. */
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

/** Starts the slowest files first, including in a new clone without recorded times. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}
