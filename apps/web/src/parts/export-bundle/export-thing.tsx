import { LazyDialog } from '../../atoms/overlays/lazy-dialog.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import type { ExportBundleDialogProps } from './export-bundle-dialog.tsx'

const ExportBundleDialog = lazyPart(
  async () => (await import('./export-bundle-dialog.tsx')).ExportBundleDialog,
)

/** Exports resources as a bundle, from the menu of a page. */
export function ExportThing(props: ExportBundleDialogProps) {
  return (
    <LazyDialog>
      <ExportBundleDialog {...props} />
    </LazyDialog>
  )
}
