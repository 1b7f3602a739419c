export { type ApplyParts, applyBundle } from './apply-bundle.ts'
export { MAX_ARCHIVE_BYTES, MAX_BUNDLE_BYTES } from './archive/archive-limits.ts'
export { filesNamed } from './archive/files-named.ts'
export {
  type BundleFile,
  extractBundle,
  NoBundleError,
  openBundleFile,
  readBundleAt,
} from './archive/open-bundle-file.ts'
export { describeApplied, describeMintedSecrets } from './describe-applied.ts'
export { exportArchive, exportBundle, exportWithFiles } from './export-bundle.ts'
export type { ImportParts } from './foreign/import-foreign.ts'
export { type BundleFolder, bundleFolder } from './read/bundle-folder.ts'
export { parseText } from './read/parse-text.ts'
export { BundleError, formatProblems, fromFieldError } from './read/problem.ts'
export { readBundle } from './read/read-bundle.ts'
export { escapeVariables, type Variables } from './read/variables.ts'
