import { Type } from 'typebox'
import { IsoTimestamp } from '../../schema/formats.ts'
import { Nullable } from '../../schema/nullable.ts'
import { weekOfRuns } from './week-of-runs.ts'

const FAILED = 'Failed or timed out.'

/** Numbers of a resource's runs; runs of the playground do not count. */
export const activity = {
  lastRunAt: Nullable(IsoTimestamp()),
  runs24h: Type.Object(
    { ok: Type.Integer(), failed: Type.Integer({ description: FAILED }) },
    { description: 'Of the newest 10,000 runs.' },
  ),
  runs7d: weekOfRuns(FAILED),
  costUsd7d: Nullable(
    Type.Number({
      description: 'Of the last seven days (UTC), up to a minute ago; null: no call had a price.',
    }),
  ),
}
