import { counted } from '../../../format/numbers.ts'

/** Texts of every list of versions: of agents, teams, workflows and skills. */
export const versionListWords = {
  title: 'Versions',
  version: (number: number | null) => (number === null ? 'Draft' : `v${number}`),
  compareTitle: 'Compare',
  from: 'From',
  to: 'To',
  hint: 'Choose a version to see what it changed.',
  firstTitle: (version: string) => `${version} is the first version`,
  onlyDetail: 'There is nothing to compare it with yet. Changes of later versions appear here.',
  firstDetail: 'No version precedes it.',
  withNewest: 'Compare with the newest version',
  sameVersion: 'The same version is chosen twice.',
  actions: (version: string) => `Actions for ${version}`,
  label: 'Label and note…',
  labelTitle: (version: string) => `Label ${version}`,
  labelName: 'Label',
  labelDetail: 'A few words to find it by: “before the new refund rules”.',
  noteName: 'Note',
  labelAction: 'Save label',
  labelFailed: 'The label was not saved',
  restore: 'Restore…',
  restoreOf: (version: string) => `Restore ${version}…`,
  restoreHint: (version: string) =>
    `Restoring ${version} saves its content as a new version. No version is removed.`,
  restoreTitle: (version: string) => `Restore ${version}?`,
  restoreAction: 'Restore',
  newer: 'Newer versions',
  older: 'Older versions',
  pages: (page: number, pages: number) => `Page ${page} of ${pages}`,
} as const

/** Texts of the versions of agents and teams. */
export const configVersionWords = {
  ...versionListWords,
  failed: 'The versions could not be loaded',
  all: 'All versions',
  versionFailed: 'The version could not be loaded',
  emptyTitle: 'No versions yet',
  empty: 'Every save creates a version. All versions are kept, so that you can compare and restore them.',
  changesOf: (version: string) => `What ${version} changed`,
  compare: (version: string) => `Compare ${version}`,
  same: 'These versions have the same content.',
  changes: (count: number) => counted(count, 'setting differs', 'settings differ'),
  use: 'Use in playground',
  sideBySide: 'Ask both in the playground',
  restoreText: (version: string, next: string) =>
    `Its content becomes ${next}, which callers use from the next run. ${version} and everything after it stay in the list.`,
  next: 'a new version',
  restoreOnTop: 'Restore anyway',
  restoreFailed: 'The version was not restored',
  restored: (version: string) => `${version} was restored`,
  restoredDetail: (next: number) => `Callers run version ${next} now.`,
  meanwhile: (who: string | null, version: string, when: string) =>
    `${who ?? 'Somebody'} saved ${version} ${when}. Restoring replaces it; it stays in the list.`,
  day: {
    quiet: '',
    okRuns: (count: number) => counted(count, 'run', 'runs'),
    failedRuns: (count: number) => `${count} failed`,
  },
} as const
