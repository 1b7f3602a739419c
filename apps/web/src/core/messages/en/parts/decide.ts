/** Texts of decisions outside the inbox: on Home and on the page of a run. */
export const decideWords = {
  approve: 'Approve',
  reject: 'Reject',
  failed: (what: string) => `Not decided: ${what}`,
  done: {
    approve: (what: string) => `Approved: ${what}`,
    reject: (what: string) => `Rejected: ${what}`,
  },
  title: 'Waits for a decision',
  detail: 'The run continues after the decision.',
  withReason: 'Decide with a reason',
  toReview: 'Open the review',
  toRun: 'Open the run that waits',
  waitsInside: (step: string) => `The run that “${step}” started waits.`,
} as const
