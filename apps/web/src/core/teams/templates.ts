import type { CoordinationMode } from '@troupe/contract'

/** A member that a template creates as an agent. */
interface NewMember {
  name: string
  /** Its description for the lead. */
  role: string
  instructions: string
}

/**
 * A team to begin with, from the gallery: it is created with its agents, which run with the default LLM configuration.
 */
export interface TeamTemplate {
  id: string
  name: string
  /** One sentence: purpose and audience. */
  detail: string
  /** Words that a search finds it by, beside those of its name and sentence. */
  keywords: readonly string[]
  mode: CoordinationMode
  /** The instructions of the lead, which is not an agent. */
  instructions: string
  /** Two or more. */
  members: readonly NewMember[]
}

/** Every template of a team; each mode has one. */
export const TEAM_TEMPLATES: readonly TeamTemplate[] = [
  {
    id: 'front-desk',
    name: 'Front desk',
    detail: 'Hands each message to the one who knows about it, who answers in their own words.',
    keywords: ['handoff', 'support', 'routing', 'customer'],
    mode: 'handoff',
    instructions:
      'Give questions about orders and deliveries to Orders, and questions about invoices and refunds to Billing. If a message is about both, choose what is more urgent for the customer.',
    members: [
      {
        name: 'Orders',
        role: 'Orders, deliveries, returns',
        instructions:
          'You answer questions about orders and deliveries. Ask for the order number if it is missing. Never promise a date.',
      },
      {
        name: 'Billing',
        role: 'Invoices, payments, refunds',
        instructions:
          'You answer questions about invoices and refunds. Ask for the invoice number if it is missing. Never promise a refund.',
      },
    ],
  },
  {
    id: 'research',
    name: 'Research and write',
    detail: 'A lead sends questions to researchers at once and writes one answer from what they find.',
    keywords: ['delegation', 'report', 'study', 'writing'],
    mode: 'dynamic-delegation',
    instructions:
      'Split the request into questions that can be answered apart. Give facts to Facts and objections to Doubts. Write one answer, and say where they disagree.',
    members: [
      {
        name: 'Facts',
        role: 'Collects facts with their origin',
        instructions:
          'You collect facts for a question, each with its origin. Mark what you are not sure of.',
      },
      {
        name: 'Doubts',
        role: 'Looks for what speaks against it',
        instructions:
          'You look for what speaks against a statement: missing facts, other explanations, risks.',
      },
    ],
  },
  {
    id: 'opinions',
    name: 'Three opinions',
    detail: 'Asks three views at once and joins them into one recommendation.',
    keywords: ['parallel', 'decision', 'review', 'second opinion'],
    mode: 'parallel',
    instructions:
      'Join the views into one recommendation. Name what all agree on first, then what they disagree on and what decides it.',
    members: [
      {
        name: 'Customer view',
        role: 'What it means for customers',
        instructions: 'You judge a plan by what customers notice of it. Be concrete.',
      },
      {
        name: 'Cost view',
        role: 'What it costs and saves',
        instructions: 'You judge a plan by its costs and savings. State your assumptions with numbers.',
      },
      {
        name: 'Risk view',
        role: 'What can go wrong',
        instructions: 'You judge a plan by what can go wrong, how likely it is, and how it is noticed early.',
      },
    ],
  },
  {
    id: 'plan-and-build',
    name: 'Plan and check',
    detail: 'Makes a plan of steps, works through it, and has each result checked before the next one.',
    keywords: ['plan', 'execute', 'project', 'steps'],
    mode: 'plan-execute',
    instructions:
      'Plan at most five steps, each with a result that can be checked. Let Maker do a step, and Checker check it before the next one begins.',
    members: [
      {
        name: 'Maker',
        role: 'Does one step of the plan',
        instructions: 'You do one step of a plan and give its result, complete and without comments.',
      },
      {
        name: 'Checker',
        role: 'Checks the result of a step',
        instructions: 'You check a result against its step. Answer with "Good", or with what is missing.',
      },
    ],
  },
]
