import type { NewId } from '@troupe/contract'
import type { SecretBox } from '@troupe/secrets'
import type { Database } from '@troupe/storage'
import type { CallMetrics } from '@troupe/telemetry/call-metrics'
import { type CallAlerts, CallDesk, CallWatch, type TrunkProvisioning } from '@troupe/voice'
import type { Logger } from 'pino'
import type { Voice } from './create-voice.ts'

/** Dependencies of calls. */
export interface CallDeps {
  voice: Voice
  database: Pick<Database, 'voice'>
  secretBox: SecretBox
  newId: NewId
  log: Logger
  metrics: Pick<CallMetrics, 'alertRaised'>
}

/** Outbound calls, and their trunks. */
export interface Calls {
  desk: CallDesk
  provisioning: TrunkProvisioning
  /** Detects signs of fraud. */
  watch: CallWatch
  /** The max ringing time of a call plus its margins, in milliseconds. */
  drainMs: number
}

/** Time limits for a worker to accept a job, and for its agent to be ready after the answer; in milliseconds. */
const WORKER_LIMITS = { acceptMs: 3_000, readyMs: 2_000 }
/** Margin before and after the ringing, in seconds. */
const AROUND_RINGING_S = 15
/** Without a configuration nothing is dialed. */
const NO_LIMITS = { maxRingingS: 0, maxSessionS: 3_600, billingUnitS: 60, newTrunkCalls: 20 }

/** Calls as configured. */
export function createCalls({ voice, database, secretBox, newId, log, metrics }: CallDeps): Calls {
  const { media, speech, results, now, onFailure } = voice.parts
  const { calls, sessions, workers, trunks } = database.voice
  const { maxRingingS, maxSessionS, billingUnitS, newTrunkCalls } = voice.connected?.config ?? NO_LIMITS
  const provisioning: TrunkProvisioning = {
    media,
    trunks,
    now,
    onFailure,
    openPassword: ({ id, authPasswordEnc }) =>
      authPasswordEnc === null
        ? null
        : secretBox.open(authPasswordEnc, { purpose: 'phone_trunk.password', id }),
  }
  const alerts: CallAlerts = {
    raise({ kind, ...facts }) {
      log.warn({ alert: kind, ...facts }, 'a call needs attention')
      metrics.alertRaised(kind)
    },
  }
  const limits = { maxRingingS, maxSessionS, billingUnitS, newTrunkCalls, ...WORKER_LIMITS }
  const rows = { calls, sessions, workers }
  const desk = new CallDesk({ ...rows, media, speech, provisioning, alerts, results, newId, now, limits })
  const watch = new CallWatch(calls, alerts, now)
  return {
    desk,
    provisioning,
    watch,
    drainMs: maxRingingS === 0 ? 0 : (maxRingingS + AROUND_RINGING_S) * 1_000,
  }
}
