import { describeRaces } from './review-races.ts'

describeRaces({ pglite: 100, postgres: 300 })
