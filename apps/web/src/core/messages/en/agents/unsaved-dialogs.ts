const NOUNS = { agent: 'agent', team: 'team', voice_configuration: 'voice' } as const

/** Texts of the dialogs about edits that are not saved yet, which are loaded when they open. */
export const unsavedDialogWords = {
  unreadGoneText:
    'Not valid JSON, and its item was removed. Copy the text if you need it: a save does not store it.',
  unreadText: 'Not valid JSON yet. It is kept on this device, and saved when it is.',
  othersEdit: (who: string, when: string) => `${who} has unsaved changes, last edited ${when}.`,
  showOthers: 'Show changes',
  showOthersOf: (who: string) => `Show changes: ${who}`,
  othersTitle: (who: string) => `Unsaved changes by ${who}`,
  othersNone: (who: string) => `All changes by ${who} have been saved or discarded.`,
  othersFailed: 'The changes could not be loaded',
  takeOthers: 'Add to my changes',
  takeOthersDetail: (who: string) =>
    `“Add to my changes” copies them into your unsaved changes. Settings that you have changed keep your value, and ${who} keeps a copy.`,
  othersTaken: (who: string) => `The changes by ${who} are part of yours now`,
  othersOut: (who: string) => `The changes by ${who} were removed again`,
  newerKept: (settings: number) =>
    settings === 1 ? 'One setting keeps your newer input.' : `${settings} settings keep your newer input.`,
  othersStay: (who: string) => `Nothing to undo: the changes by ${who} have been saved or changed since then`,
  othersOutFailed: (who: string) => `The changes by ${who} were not removed`,
  reviewTitle: 'Your changes',
  reviewNone: 'There are no changes to save.',
  close: 'Close',
  mergeTitle: (who: string | null, noun: keyof typeof NOUNS, when: string) =>
    `${who ?? 'Somebody'} changed this ${NOUNS[noun]} ${when}`,
  mergeText: (settings: number) =>
    `Both of you changed ${settings === 1 ? 'this setting' : `these ${settings} settings`}. Everything else is merged already. Nothing is sent until you decide.`,
  mergeChoice: (label: string) => `Which ${label}`,
  wholeOrganization: 'Whole organization',
  changesDropped: (changes: number) =>
    changes === 1 ? 'Your change was dropped' : `All your ${changes} changes were dropped`,
  mine: 'Mine',
  theirs: 'Theirs',
  before: 'Before',
  wasBefore: (value: string) => `Before: ${value}`,
  allTheirs: 'Drop my changes',
  saveMerged: 'Merge and save',
  later: 'Decide later',
  goneTitle: 'Your unsaved changes',
  goneDetail: 'Kept on this device. Copy them if you need them.',
  forget: 'Forget',
  removedItem: 'Removed',
  becomes: (before: string, after: string) => `${before} becomes ${after}`,
  keepMineDetail: '“Keep mine” saves your changes over the saved version. All other settings stay as saved.',
} as const
