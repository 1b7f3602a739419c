import { describeDeaths } from './killed-test-runs.ts'

// Odd numbers, so that moments before and after a write alternate. `test-runs-killed.full.test.ts` has more of them.
describeDeaths({ pglite: 5, postgres: 7, restate: 15 })
