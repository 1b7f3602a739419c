import type { Variables } from '@troupe/bundles'
import {
  applyBundle,
  BundleError,
  describeMintedSecrets,
  formatProblems,
  openBundleFile,
} from '@troupe/bundles'
import type { AppliedBundle } from '@troupe/contract'
import { lowerStoredLimits } from '@troupe/operations/organizations/lower-stored-limits'
import type { Actor } from '@troupe/storage'
import type { Config } from '../config/config.ts'
import { ConfigError } from '../config/problems.ts'
import { applyPartsOf, type BundleContext } from './bundle-context.ts'
import { type SeededPlayground, seedPlayground } from './seed-playground.ts'
import { playgroundWelcome } from './welcome.ts'
import { whyNoBundle } from './why-no-bundle.ts'

const SYSTEM: Actor = { kind: 'system', id: null, ip: null, requestId: null }

/** The records that the boot wrote. */
export interface BootOutcome {
  /** null without `TROUPE_BUNDLE`. */
  bundle: AppliedBundle | null
  /** null unless this process seeded it in this boot. */
  playground: SeededPlayground | null
}

/**
 * Applies the configured bundle, or seeds the Playground. Idempotent: several processes may boot concurrently.
 *
 * @param variables values of `${NAME}` in the bundle: the environment of the process
 * @throws ConfigError with every problem of the bundle, or if it can't be read
 */
export async function applyBootBundle(context: BundleContext, variables: Variables): Promise<BootOutcome> {
  const { bundle: file, exposure } = context.config
  const { playground: wanted } = exposure
  const bundle = file && (await applyFile(context, file, variables))
  await lowerStoredLimits(context.database, context.config.limitCeilings, SYSTEM)
  const mode = wanted === 'auto' ? (file ? 'off' : 'empty-only') : wanted
  return { bundle, playground: mode === 'off' ? null : await seedPlayground(context, mode) }
}

/** The text printed by the boot: secrets that are shown once. Empty if there are none. */
export function describeBoot(publicUrl: string, { bundle, playground }: BootOutcome): string {
  const keys = bundle ? describeMintedSecrets(bundle) : ''
  return keys + (playground ? playgroundWelcome(publicUrl, playground) : '')
}

async function applyFile(
  context: BundleContext,
  { path, name }: NonNullable<Config['bundle']>,
  variables: Variables,
): Promise<AppliedBundle> {
  await using bundle = await openBundleFile(path).catch((error: unknown) => {
    throw new ConfigError([`TROUPE_BUNDLE names ${name}, which cannot be read (${whyNoBundle(error)}).`])
  })
  try {
    return await applyBundle(applyPartsOf(context), {
      text: bundle.text,
      variables,
      actor: SYSTEM,
      folder: bundle.folder,
      readAtOnce: true,
      skipsAddresses: true,
    })
  } catch (error) {
    if (!(error instanceof BundleError)) throw error
    throw new ConfigError(formatProblems(name, error.problems).split('\n'))
  }
}
