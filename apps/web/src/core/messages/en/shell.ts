import { counted } from '../../format/numbers.ts'

/** Texts of the shell: navigation, sign-in, states of every page. */
export const shellWords = {
  product: 'Troupe',
  nav: {
    home: 'Home',
    agents: 'Agents',
    teams: 'Teams',
    workflows: 'Workflows',
    knowledge: 'Knowledge',
    skills: 'Skills',
    tools: 'Tools',
    voice: 'Voice',
    phone: 'Phone',
    runs: 'Runs',
    reviews: 'Reviews',
    usage: 'Usage',
    settings: 'Settings',
  },
  build: 'Build',
  voiceAndPhone: 'Voice & phone',
  operate: 'Operate',
  search: 'Search or jump to…',
  organization: 'Organization',
  switchOrganization: 'Switch organization or project',
  project: 'Project',
  allProjects: 'All projects',
  projectGone: 'There is no such project',
  projectGoneDetail: 'You see all projects.',
  account: 'Account',
  yourAccount: 'Your account',
  documentation: 'API reference',
  keys: 'Keyboard shortcuts',
  filterKey: 'Filter the list',
  actionsKey: 'Page actions',
  previousKey: 'Previous item',
  nextKey: 'Next item',
  firstOfList: 'This is the first item',
  lastOfList: 'This is the last item loaded so far',
  renameKey: 'Rename',
  letterKeys: 'Single-letter shortcuts',
  letterKeysDetail: (search: string) =>
    `Switch them off if you use speech input. ${search} and Esc keep working.`,
  rowKeys: {
    title: 'In lists',
    move: 'Move between rows',
    open: 'Open the row',
    peek: 'Preview the row',
    choose: 'Select the row, where rows can be selected',
  },
  noKeys: 'No shortcuts on this page.',
  signOut: 'Sign out',
  stillSignedIn: 'You are still signed in',
  signOutAsking: {
    title: 'Sign out and discard unsaved edits?',
    detail: (edits: number) =>
      `This device keeps ${counted(edits, 'edit', 'edits')} that you have not saved or sent. Signing out removes everything of yours from this browser.`,
    action: 'Sign out and discard',
  },
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  offline: 'You are offline. The page may be out of date, and nothing is sent.',
  offlineBeforePage: 'You are offline. The page opens as soon as the connection is back.',
  notLoaded: 'You are offline, and this page is not cached. It loads as soon as the connection is back.',
  nothingIsSent: 'You are offline.',
  keepsNothing:
    'This browser cannot store your changes: its storage is full or turned off. Save before you close or reload the page.',
  newVersion: 'A new version of the builder is available.',
  reload: 'Reload',
  signIn: {
    title: 'Sign in',
    again: 'Sign in again',
    againDetail: (name: string) =>
      `Your sign-in ended, ${name}. The page stays as it is: nothing you typed is lost.`,
    email: 'E-mail address',
    password: 'Password',
    action: 'Sign in',
    forgot: 'Forgot your password?',
    footer: 'An account comes with an invitation. Ask an owner or admin of your organization for one.',
  },
  noOrganization: {
    title: 'There is no organization that you can open',
    detail:
      'If you are new here, ask an owner or admin for an invitation: it comes as a link, by e-mail or by hand. If you were a member, the membership was suspended or has ended; an owner or admin of the organization can let you in again.',
  },
  gone: {
    title: 'There is nothing at this address',
    detail: 'It may have been deleted or renamed, or it belongs to another organization.',
    home: 'Go to Home',
    search: 'Search',
  },
  noMembership: {
    title: 'There is no organization at this address that you can open',
    detail:
      'If you were a member, the membership was suspended or has ended: an owner or admin of the organization can let you in again. Its address may also have changed.',
    home: 'Continue',
  },
  left: {
    title: (organization: string) => `You can no longer open ${organization}`,
    detail: 'Your membership was suspended or has ended. Your unsaved edits stay on this device.',
    ask: (names: string) =>
      names === ''
        ? 'Its owners and admins can let you in again.'
        : `These people can let you in again: ${names}.`,
    home: 'Continue',
  },
  refused: {
    title: 'This page is not for reviewers',
    detail:
      'As a reviewer you can only open and decide reviews assigned to you. Owners and admins can give you another role.',
    action: 'Go to your reviews',
  },
  failed: 'This page could not be loaded',
  crashed: 'This page crashed',
  crashedDetail: 'This is a bug in the builder. Saved changes are safe.',
  missingPart: {
    title: 'A part of this page could not be loaded',
    detail:
      'The builder may have been updated, or the connection was lost. Unsaved edits are kept on this device.',
    action: 'Reload',
  },
  unreachable: 'Troupe cannot be reached',
  backToList: 'Back to the list',
} as const
