import { Type } from 'typebox'
import { IsoTimestamp } from '../../schema/formats.ts'
import { Nullable } from '../../schema/nullable.ts'

/** Numbers of a resource's runs; runs of the playground do not count. */
export const activity = {
  lastRunAt: Nullable(IsoTimestamp()),
  runs24h: Type.Object(
    { ok: Type.Integer(), failed: Type.Integer({ description: 'Failed or timed out.' }) },
    { description: 'Of the newest 10,000 runs.' },
  ),
  costUsd7d: Nullable(
    Type.Number({
      description: 'Of the last seven days (UTC), up to a minute ago; null: no call had a price.',
    }),
  ),
}
