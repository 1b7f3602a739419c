/**
 * - One process and one connection: a small buffer pool is enough, and the operating system caches the files anyway.
 *   PostgreSQL's default of 128 MB is touched whole and was a third of the memory of an idle Troupe.
 * - Without autovacuum there are no statistics, and the plan for a table that is still small may read all of it. The
 *   statements have their indexes; where one has none, a scan is still made.
 */
export const SETTINGS = ['shared_buffers = 16MB', 'enable_seqscan = off']
