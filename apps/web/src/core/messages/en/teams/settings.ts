import type { TeamConfig } from '@troupe/contract'
import type { SettingPath, SettingWords } from '../../../forms/setting-words.ts'
import { OUTPUT_WORDS, RUN_BUDGET_WORDS, RUNNABLE_SETTING_WORDS } from '../runnable-settings.ts'

type AnyTeamPath = SettingPath<Omit<TeamConfig, 'lead'>>
/** Settings of a team; the model of a managed lead has the words of every chain of models. */
type TeamSettingPath = AnyTeamPath | 'lead' | 'lead.agent' | 'lead.managed.instructions'

/** The label and explanation of every setting of a team. A new setting without words does not compile. */
export const TEAM_SETTING_WORDS: Record<TeamSettingPath, SettingWords> = {
  mode: { label: 'Mode' },
  lead: { label: 'Lead' },
  'lead.agent': { label: 'Agent that leads' },
  'lead.managed.instructions': {
    label: 'Instructions',
    help: 'Optional. The mode already explains the process to the lead; add background and preferences here.',
  },
  members: { label: 'Members' },
  fallback_member: {
    label: 'Fallback member',
    help: 'Answers when the lead makes no valid choice. Without one, such a run fails.',
    none: 'None: the run fails',
  },
  lead_may_answer_directly: {
    label: 'The lead may answer without delegating',
    help: 'For instance a greeting. Off: its first step must delegate.',
  },
  min_successful_members: {
    label: 'Members that must answer',
    help: 'With fewer, the run fails and names the others.',
  },
  members_keep_own_history: {
    label: 'Members keep their own history',
    help: 'A member also sees its own earlier work in the session.',
  },
  'toggles.auto_member_input': { label: 'The lead writes the tasks of members' },
  'toggles.share_member_interactions': { label: 'Members see the tasks and answers of others' },
  'toggles.members_see_team_history': { label: 'Members see the conversation so far' },
  'toggles.add_team_name': { label: 'Give all agents the team’s name' },
  'toggles.add_datetime': { label: 'Give all agents the date and time' },
  'memory.history.enabled': {
    ...RUNNABLE_SETTING_WORDS['memory.history.enabled'],
    help: 'Earlier turns of the session are in the prompt of the lead.',
  },
  'memory.history.max_runs': RUNNABLE_SETTING_WORDS['memory.history.max_runs'],
  'memory.history.max_tokens': RUNNABLE_SETTING_WORDS['memory.history.max_tokens'],
  'memory.history.tool_traffic_runs': RUNNABLE_SETTING_WORDS['memory.history.tool_traffic_runs'],
  'memory.summary.enabled': RUNNABLE_SETTING_WORDS['memory.summary.enabled'],
  'memory.summary.trigger_tokens': RUNNABLE_SETTING_WORDS['memory.summary.trigger_tokens'],
  'memory.user_memories.enabled': RUNNABLE_SETTING_WORDS['memory.user_memories.enabled'],
  'memory.user_memories.scope': RUNNABLE_SETTING_WORDS['memory.user_memories.scope'],
  'memory.user_memories.max': RUNNABLE_SETTING_WORDS['memory.user_memories.max'],
  'guardrails.input': {
    ...RUNNABLE_SETTING_WORDS['guardrails.input'],
    help: 'Rules that check the user’s message. If there is no rule here and below, the promoted lead’s guardrails apply.',
  },
  'guardrails.output': RUNNABLE_SETTING_WORDS['guardrails.output'],
  'output.mode': OUTPUT_WORDS.mode,
  'output.schema': OUTPUT_WORDS.schema,
  'output.strategy': OUTPUT_WORDS.strategy,
  'output.max_repairs': OUTPUT_WORDS.max_repairs,
  expose: RUNNABLE_SETTING_WORDS.expose,
  'limits.max_iterations': { label: 'Rounds', help: 'The report names the unfinished tasks.' },
  'limits.lead_max_steps': { label: 'Max steps of the lead', help: 'In the last step it must answer.' },
  'limits.max_delegations': { label: 'Delegations', help: 'In one run, over all members.' },
  'limits.max_concurrent_members': { label: 'Members in parallel' },
  'limits.max_seconds': {
    label: 'Time limit',
    help: 'Synchronous calls end after 30 seconds anyway.',
    unit: 'seconds',
  },
  'limits.member_timeout_ms': {
    label: 'Time limit per member',
    help: 'A slower member counts as failed.',
    none: 'The run’s limit',
    unit: 'ms',
  },
  'limits.history_tokens': {
    label: 'Conversation for members',
    help: 'The newest turns first. Applies when members see the conversation.',
    unit: 'tokens',
  },
  'limits.budget.max_total_tokens': RUN_BUDGET_WORDS.max_total_tokens,
  'limits.budget.max_cost_usd': RUN_BUDGET_WORDS.max_cost_usd,
  'limits.budget.on_exceeded': RUN_BUDGET_WORDS.on_exceeded,
}

/** Labels of parts without a field that can be in a list of changes. */
export const TEAM_PART_LABELS: Readonly<Record<string, string>> = {
  name: 'Name',
  description: 'Description',
  config: 'Configuration',
  'members.*': 'Member',
  'members.*.agent': 'Member',
  'members.*.role': 'Role of a member',
  'lead.managed': 'Lead',
  'lead.managed.model': 'Model of the lead',
  limits: 'Limits',
  'limits.budget': 'Budget of a run',
  memory: 'Memory',
  guardrails: 'Guardrails',
  output: 'Answer format',
  toggles: 'Behavior',
}
