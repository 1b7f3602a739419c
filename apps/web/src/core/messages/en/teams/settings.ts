import type { TeamConfig } from '@troupe/contract'
import type { SettingPath, SettingWords } from '../../../forms/setting-words.ts'

type AnyTeamPath = SettingPath<Omit<TeamConfig, 'lead'>>
/** Settings of a team; the model of a managed lead has the words of every chain of models. */
type TeamSettingPath = AnyTeamPath | 'lead' | 'lead.agent' | 'lead.managed.instructions'

/** How every setting of a team is called and explained. A new setting without words does not compile. */
export const TEAM_SETTING_WORDS: Record<TeamSettingPath, SettingWords> = {
  mode: { label: 'Mode' },
  lead: { label: 'Lead' },
  'lead.agent': { label: 'Agent that leads' },
  'lead.managed.instructions': {
    label: 'Instructions',
    help: 'Optional. The mode already tells the lead how to work; say here what it should know or prefer.',
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
    help: 'With fewer, the run fails and names who did not answer.',
  },
  members_keep_own_history: {
    label: 'Members keep their own history',
    help: 'A member also sees what it did itself earlier in the session.',
  },
  'toggles.auto_member_input': { label: 'The lead writes what members get' },
  'toggles.share_member_interactions': { label: 'Members see what others were asked and answered' },
  'toggles.members_see_team_history': { label: 'Members see the conversation so far' },
  'toggles.add_team_name': { label: 'Tell everybody the name of the team' },
  'toggles.add_datetime': { label: 'Tell everybody the date and the time' },
  'memory.history.enabled': {
    label: 'Remember the conversation',
    help: 'Earlier turns of the session are in the prompt of the lead.',
  },
  'memory.history.max_runs': { label: 'Turns that are remembered', none: 'No limit', unit: 'turns' },
  'memory.history.max_tokens': { label: 'Longest conversation', none: 'As the model allows', unit: 'tokens' },
  'memory.history.tool_traffic_runs': {
    label: 'Turns with tool calls',
    help: 'Calls and results of tools are remembered for so many turns; the texts are kept longer.',
  },
  'memory.summary.enabled': {
    label: 'Summarise long conversations',
    help: 'What no longer fits becomes a summary.',
  },
  'memory.summary.trigger_tokens': { label: 'Summarise from', unit: 'tokens' },
  'memory.user_memories.enabled': {
    label: 'Remember people across sessions',
    help: 'Facts about the person who calls, by user_id.',
  },
  'memory.user_memories.scope': {
    label: 'Memories are shared',
    choices: {
      agent: { label: 'With nobody', detail: 'Only this team reads them.' },
      project: { label: 'In the project', detail: 'Every agent and team of the project reads them.' },
    },
  },
  'memory.user_memories.max': { label: 'Memories of one person' },
  'guardrails.input': {
    label: 'Guardrails of the message',
    help: 'A list of rules as JSON. Without any rule, those of a promoted lead hold.',
  },
  'guardrails.output': { label: 'Guardrails of the answer', help: 'A list of rules as JSON.' },
  'output.mode': {
    label: 'Form of the answer',
    choices: {
      text: { label: 'Text', detail: 'As the lead or the member writes it.' },
      json_schema: { label: 'JSON', detail: 'That fits a schema; repaired when it does not.' },
    },
  },
  'output.schema': { label: 'Schema of the answer', help: 'A JSON schema.' },
  'output.strategy': {
    label: 'How JSON is asked for',
    choices: {
      auto: { label: 'What the model does best' },
      native: { label: 'By the provider' },
      final_step: { label: 'In a step of its own' },
    },
  },
  'output.max_repairs': {
    label: 'Repairs',
    help: 'How often an answer that does not fit is sent back to the model.',
  },
  expose: {
    label: 'Offered by MCP',
    help: 'Clients of /api/v1/mcp with a key of this organization see the team as a tool.',
    none: 'No: only the API',
    choices: { mcp: { label: 'Yes, as a tool' } },
  },
  'limits.max_iterations': { label: 'Rounds', help: 'The report says which tasks were not done by then.' },
  'limits.lead_max_steps': { label: 'Steps of the lead', help: 'In the last one it must answer.' },
  'limits.max_delegations': { label: 'Delegations', help: 'In one run, all members together.' },
  'limits.max_concurrent_members': { label: 'Members at the same time' },
  'limits.max_seconds': {
    label: 'Longest run',
    help: 'Synchronous calls end after 30 seconds anyway.',
    unit: 'seconds',
  },
  'limits.member_timeout_ms': {
    label: 'Longest work of a member',
    help: 'A slower member counts as failed.',
    none: 'As long as the run',
    unit: 'ms',
  },
  'limits.history_tokens': {
    label: 'Conversation for members',
    help: 'The newest turns first. Counts when members see the conversation.',
    unit: 'tokens',
  },
  'limits.budget.max_total_tokens': {
    label: 'Tokens of a run',
    help: 'Of all models together.',
    none: 'No limit',
  },
  'limits.budget.max_cost_usd': {
    label: 'Cost of a run',
    help: 'Every model needs prices for this.',
    none: 'No limit',
    unit: 'US dollars',
  },
  'limits.budget.on_exceeded': {
    label: 'When the budget is used up',
    choices: {
      finalize: { label: 'Answer with what is there' },
      fail: { label: 'Fail' },
    },
  },
}

/** What has no field of its own, but can be in a list of changes. */
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
  output: 'Form of the answer',
  toggles: 'Behaviour',
}
