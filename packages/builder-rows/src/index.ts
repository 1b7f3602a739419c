export { overviews } from './overviews.ts'
export type * from './port.ts'
export { draftVersions, versionChanges, versions } from './versions.ts'
