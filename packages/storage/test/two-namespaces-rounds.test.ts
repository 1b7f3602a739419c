import { it } from 'vitest'
import { canIsolate, expectOneOwner } from './two-namespaces.ts'

it.skipIf(!canIsolate)(
  'two containers that start on one volume lose no write in twenty kills',
  async () => {
    await expectOneOwner(20)
  },
  600_000,
)
