import { text } from 'node:stream/consumers'
import { endWithoutTeardown } from '@troupe/telemetry/end-process'
import type { Migration } from '../migrate/migrate.ts'
import { makeImage } from './make-image.ts'

/**
 * Entry point of the separate process that database-image.ts starts. The argument is the cache folder; the standard
 * input is a JSON array of the migrations.
 */
endWithoutTeardown()
const migrations: Migration[] = JSON.parse(await text(process.stdin))
await makeImage(process.argv[2] ?? '', migrations)
