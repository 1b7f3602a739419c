import { describeRaces } from './review-races.ts'

// `races.full.test.ts` has more rounds.
describeRaces({ pglite: 40, postgres: 80 })
