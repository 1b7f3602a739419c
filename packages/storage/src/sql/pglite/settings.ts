/**
 * - One process and one connection: a small buffer pool is enough, and the operating system caches the files
 *   anyway. PostgreSQL touches all of its default of 128 MB, which was a third of the memory of an idle
 *   Troupe.
 * - Without autovacuum there are no statistics, and the planner may choose a full scan for a table that
 *   is still small. The statements have their indexes; without one, a scan still happens.
 */
export const SETTINGS = ['shared_buffers = 16MB', 'enable_seqscan = off']
