export { serverBinaries } from './binaries.ts'
export { type Cluster, startCluster } from './cluster.ts'
export { sharedPostgres, testPostgres } from './shared-postgres.ts'
export { type Migrate, startTestPostgres, type TestDatabase, type TestPostgres } from './test-postgres.ts'
