import { describeRaces } from './review-races.ts'

// `races.full.test.ts` has more rounds.
describeRaces({ pglite: 20, postgres: 40 })
