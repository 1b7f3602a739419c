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
      removeTrunk: async () => {},
    },
    trunks: {
      waiting: async () => [],
      numbers: async () => [],
      async provisioned() {
        if (failing.database) throw failing.database
        return 'ST_1'
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
    onFailure() {},
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

test('a database that fails after the media server has the trunk is not a fault of the trunk', async () => {
  expect(await faultOf({ database: new Error('connection lost') })).toBeNull()
})

test('provisioning is retried after an unknown failure of the media server', async () => {
  expect(await faultOf({ media: new Error('socket hang up') })).toMatchObject({ isFinal: false })
  const away = new MediaPlaneError('unavailable', 'away')
  expect(await faultOf({ media: away })).toMatchObject({ isFinal: false })
})

/** Provisions a trunk that was `former` in the media server while `inUse` is stored, and returns what happens there. */
async function changesOf(former: string | null, inUse: string | null, isAway = false) {
  const removed: string[] = []
  const failures: string[] = []
  const parts: TrunkProvisioning = {
    media: {
      provisionTrunk: async () => 'ST_new',
      async removeTrunk(id) {
        if (isAway) throw new MediaPlaneError('unavailable', 'away')
        removed.push(id)
      },
    },
    trunks: {
      waiting: async () => [],
      numbers: async () => [],
      provisioned: async () => inUse,
      notProvisioned: async () => {},
    },
    openPassword: () => null,
    now: () => 0,
    onFailure: (task) => void failures.push(task),
  }
  const outcome = await provisionPhoneTrunk(parts, { ...TRUNK, lkTrunkId: former }).catch(
    (error: unknown) => error,
  )
  return { outcome, removed, failures }
}

test('a trunk that replaces another one of the media server removes it', async () => {
  expect(await changesOf('ST_old', 'ST_new')).toEqual({
    outcome: 'ST_new',
    removed: ['ST_old'],
    failures: [],
  })
  expect(await changesOf(null, 'ST_new')).toMatchObject({ removed: [] })
  const away = await changesOf('ST_old', 'ST_new', true)
  expect(away).toMatchObject({ outcome: 'ST_new', failures: ['removing a trunk from the media server'] })
})

test('the slower of two processes removes its own trunk and uses the other', async () => {
  expect(await changesOf('ST_old', 'ST_other')).toMatchObject({ outcome: 'ST_other', removed: ['ST_new'] })
})

test('a trunk that was changed, disabled or deleted in the meantime leaves nothing in the media server', async () => {
  const { outcome, removed } = await changesOf(null, null)
  expect(outcome).toBeInstanceOf(MediaPlaneError)
  expect(removed).toEqual(['ST_new'])
})
