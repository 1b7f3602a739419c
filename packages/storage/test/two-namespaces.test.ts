import { it } from 'vitest'
import { canIsolate, expectOneOwner } from './two-namespaces.ts'

it.skipIf(!canIsolate)(
  'of two containers with one volume exactly one writes, and its writes survive kills',
  async () => {
    await expectOneOwner(2)
  },
  120_000,
)
