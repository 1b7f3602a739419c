import { expect, test } from 'vitest'
import { MediaPlaneError } from '../media/media-plane.ts'
import { provisionPhoneTrunk, type TrunkProvisioning } from './provision-trunk.ts'
import type { PhoneTrunkRecord } from './trunk.ts'

const TRUNK = { id: 'trunk', configHash: 'hash', lkTrunkId: null } as unknown as PhoneTrunkRecord

/** Provisions with parts of which one fails, and returns what was stored as the trunk's fault. */
async function faultOf(failing: {
  password?: Error
  media?: Error
  database?: Error
}): Promise<{ message: string; isFinal: boolean } | null> {
  let stored: { message: string; isFinal: boolean } | null = null
  const parts: TrunkProvisioning = {
    media: {
      async provisionTrunk() {
        if (failing.media) throw failing.media
        return 'ST_1'
      },
    },
    trunks: {
      waiting: async () => [],
      numbers: async () => [],
      async provisioned() {
        if (failing.database) throw failing.database
        return true
      },
      async notProvisioned(_, { message, isFinal }) {
        stored = { message, isFinal }
      },
    },
    openPassword() {
      if (failing.password) throw failing.password
      return null
    },
    now: () => 0,
  }
  await expect(provisionPhoneTrunk(parts, TRUNK)).rejects.toThrow()
  return stored
}

test('a password that no key opens is a fault of the trunk', async () => {
  expect(await faultOf({ password: new Error('no key') })).toEqual({
    message: 'The password of the trunk cannot be opened.',
    isFinal: true,
  })
})

test('a database that fails after the media server has the trunk is no fault of the trunk', async () => {
  expect(await faultOf({ database: new Error('connection lost') })).toBeNull()
})

test('an unknown failure of the media server is tried again', async () => {
  expect(await faultOf({ media: new Error('socket hang up') })).toMatchObject({ isFinal: false })
  const away = new MediaPlaneError('unavailable', 'away')
  expect(await faultOf({ media: away })).toMatchObject({ isFinal: false })
})
