import { describeDeaths } from './killed-test-runs.ts'

// With odd numbers, moments before and after a write alternate.
describeDeaths({ pglite: 1, postgres: 1, restate: 5 })
