import type { ApplyParts } from '@troupe/bundles'
import { DocumentFiles, type DocumentFilesParts } from '@troupe/operations/knowledge/documents/document-files'
import type { Context } from '../wiring/context.ts'

/** The parts of the server that bundles use. */
export interface BundleContext
  extends Pick<
    Context,
    | 'database'
    | 'secretBox'
    | 'passwords'
    | 'newId'
    | 'clock'
    | 'configChanges'
    | 'config'
    | 'toolSources'
    | 'heavy'
  > {
  apiKeys: Pick<Context['apiKeys'], 'forget'>
  knowledge: DocumentFilesParts
}

/** Picks the dependencies of applying and exporting from the parts of the server. */
export function applyPartsOf(context: BundleContext): ApplyParts & Pick<Context, 'database'> {
  const {
    database,
    secretBox,
    passwords,
    newId,
    clock,
    configChanges,
    config,
    apiKeys,
    toolSources,
    knowledge,
    heavy,
  } = context
  const acceptsWeakSecrets = config.exposure.isLocalOnly
  const { limitCeilings } = config
  const now = () => clock.now()
  return {
    database,
    box: secretBox,
    passwords,
    newId,
    now,
    acceptsWeakSecrets,
    limitCeilings,
    configChanges,
    apiKeys,
    toolSources,
    documents: new DocumentFiles(knowledge),
    heavy,
  }
}
