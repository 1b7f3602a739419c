import { counted } from '../../../format/numbers.ts'

/** Who runs what is saved, by kind. */
interface LiveFor {
  agent: number
  team: number
  workflow: number
}

function liveFor({ agent, team, workflow }: LiveFor): string {
  const parts = [
    ...(agent > 0 ? [counted(agent, 'agent', 'agents')] : []),
    ...(team > 0 ? [counted(team, 'team', 'teams')] : []),
    ...(workflow > 0 ? [counted(workflow, 'workflow', 'workflows')] : []),
  ]
  return parts.join(', ')
}

const NOUNS = { agent: 'agent', team: 'team', voice_configuration: 'voice' } as const

/** Texts of edits that are not saved yet, and of saving them. */
export const unsavedWords = {
  secretTitle: (kind: string) => `Leave without the ${kind}?`,
  secretText: 'It is shown only once. Copy it before you leave.',
  secretLeave: 'Leave',
  unread: (label: string) => `Nothing was saved: the text of “${label}” cannot be read yet`,
  unreadNote: (label: string) => `The text of “${label}” is not valid JSON yet, so nothing can be saved.`,
  unreadGoneText:
    'Not valid JSON, and its item was removed. Copy the text if you need it: a save does not store it.',
  unreadText: 'Not valid JSON yet. It is kept on this device, and saved when it is.',
  show: 'Show',
  bar: 'Unsaved changes',
  count: (changes: number) => counted(changes, 'unsaved change', 'unsaved changes'),
  keptHere: 'Kept on this device until you save.',
  keptEverywhere: 'Kept on all your devices until you save.',
  notKept: 'This browser cannot store your changes. Save before you reload.',
  review: 'Review changes',
  discard: 'Discard',
  more: 'More about your changes',
  liveFor: (use: LiveFor) => (liveFor(use) === '' ? '' : `Live for ${liveFor(use)}`),
  save: (use: LiveFor) => (liveFor(use) === '' ? 'Save' : `Save: live for ${liveFor(use)}`),
  saveKey: 'Save',
  saved: 'Saved',
  savedVersion: (version: number, noun: keyof typeof NOUNS, isLive: boolean) => {
    if (noun === 'voice_configuration') return 'Sessions and calls that start now use it.'
    return isLive
      ? `Callers run version ${version} now.`
      : `It is version ${version}. Callers get an error until the ${NOUNS[noun]} is reopened.`
  },
  joined: (who: string | null, settings: number) =>
    `Merged with changes by ${who ?? 'somebody else'} (${counted(settings, 'setting', 'settings')}).`,
  failed: 'The changes were not saved',
  problems: (count: number) => `${counted(count, 'setting needs', 'settings need')} attention`,
  meanwhile: (who: string | null, when: string, settings: number) =>
    `${who ?? 'Somebody'} changed ${counted(settings, 'setting', 'settings')} that you also changed, ${when}.`,
  resolve: 'Decide…',
  othersEdit: (who: string, when: string) => `${who} has unsaved changes, last edited ${when}.`,
  showOthers: 'Show changes',
  showOthersOf: (who: string) => `Show changes: ${who}`,
  othersTitle: (who: string) => `Unsaved changes by ${who}`,
  othersNone: (who: string) => `Everything that ${who} changed is saved, or was discarded.`,
  othersFailed: 'The changes could not be loaded',
  takeOthers: 'Add to my changes',
  takeOthersDetail: (who: string) =>
    `“Add to my changes” copies them into your unsaved changes. Settings that you have changed keep your value, and ${who} keeps a copy.`,
  othersTaken: (who: string) => `The changes by ${who} are part of yours now`,
  reviewTitle: 'Your changes',
  reviewNone: 'There are no changes to save.',
  close: 'Close',
  discardTitle: 'Discard your changes?',
  discardText: (changes: number) =>
    `${counted(changes, 'change', 'changes')} will be lost. The live version stays as it is.`,
  discardAction: 'Discard changes',
  mergeTitle: (who: string | null, noun: keyof typeof NOUNS, when: string) =>
    `${who ?? 'Somebody'} changed this ${NOUNS[noun]} ${when}`,
  mergeText: (settings: number) =>
    `Both of you changed ${settings === 1 ? 'this setting' : `these ${settings} settings`}. Everything else is merged already. Nothing is sent until you decide.`,
  mergeChoice: (label: string) => `Which ${label}`,
  wholeOrganization: 'Whole organization',
  unreadGone: (label: string) =>
    `The text of “${label}” is not valid JSON, and its item was removed. “Review changes” shows it.`,
  dropText: 'Discard this text',
  dropOf: (label: string) => `Discard this text: ${label}`,
  showText: (label: string) => `Show ${label}`,
  textDropped: (label: string) => `The text of “${label}” was discarded`,
  changesDropped: (changes: number) =>
    changes === 1 ? 'Your change was dropped' : `All your ${changes} changes were dropped`,
  undo: 'Undo',
  newerTyped: 'There are newer changes',
  newerTypedDetail: 'You made them after discarding. Undo would replace them.',
  replaceNewer: 'Replace them',
  partOf: (place: string, field: string) => `${place}: ${field}`,
  mine: 'Mine',
  theirs: 'Theirs',
  yours: 'You',
  before: 'Before',
  wasBefore: (value: string) => `Before: ${value}`,
  after: 'After',
  allTheirs: 'Drop my changes',
  saveMerged: 'Merge and save',
  later: 'Decide later',
  on: 'On',
  off: 'Off',
  goneTitle: 'Your unsaved changes',
  goneDetail: 'Kept on this device. Copy them if you need them.',
  forget: 'Forget',
  absent: 'Not set',
  removedItem: 'Removed',
  inOrder: (place: number, item: string) => `${place}. ${item}`,
  empty: 'Empty',
  becomes: (before: string, after: string) => `${before} becomes ${after}`,
  keepMineDetail: '“Keep mine” saves your changes over the saved version. All other settings stay as saved.',
} as const
