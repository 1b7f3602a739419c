import { sharedPostgres } from '@troupe/test-kit/postgres'
import { migrateUrl } from '../../packages/storage/test/migrate-url.ts'

/** One PostgreSQL server and one migrated template for the whole run, if the machine has the programs. */
export const setup = sharedPostgres(migrateUrl)
