import { counted } from '../../format/numbers.ts'

/** Texts of rare states of the shell: sign-in, pages that cannot be opened, a question before signing out. */
export const shellStateWords = {
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
  signOutAsking: {
    title: 'Sign out and discard unsaved edits?',
    detail: (edits: number) =>
      `This device keeps ${counted(edits, 'edit', 'edits')} that you have not saved or sent. Signing out removes everything of yours from this browser.`,
    action: 'Sign out and discard',
  },
  noOrganization: {
    title: 'There is no organization that you can open',
    detail:
      'If you are new here, ask an owner or admin for an invitation: it comes as a link, by e-mail or by hand. If you were a member, the membership was suspended or has ended; an owner or admin of the organization can let you in again.',
  },
  gone: {
    title: 'There is nothing at this address',
    detail: 'It may have been deleted or renamed, or it belongs to another organization.',
    search: 'Search',
  },
  crash: {
    details: 'Details for a bug report',
    content: 'They contain the error, the address of this page and your browser.',
    label: 'Details',
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
} as const
