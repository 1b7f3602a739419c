/** What to do about a failed run, by its code. */
const ADVICE: Readonly<Record<string, string>> = {
  validation_error: 'Correct the configuration in the editor, then send again.',
  llm_configuration_not_found: 'Choose another LLM configuration in the editor, or add one in the settings.',
  credential_not_found: 'A credential that a tool needs is gone: choose another one in the editor.',
  model_price_missing: 'A cost limit needs a price: enter it at the model in the settings.',
  budget_exceeded: 'Raise the budget in the settings, or wait for its next period.',
  agent_archived: 'Activate the agent before you run it.',
  version_not_found: 'Choose another version: this one is gone.',
  upstream_error: 'The steps of the trace say which call failed, and why. Test the model in the settings.',
  bad_gateway: 'A service that the run needs did not answer. Try again.',
  execution_timeout: 'Raise the time limit in the editor, or ask for less at once.',
  rate_limit_exceeded: 'Too many requests at once. Wait a moment, then try again.',
  network_error: 'Check your connection, then try again.',
  timeout: 'The server did not answer in time. Try again.',
  internal_error: 'Try again. If it keeps failing, give the request id to the operator.',
}

/** Texts of failed runs, in the playground and in traces. */
export const failureAdviceWords = {
  failed: 'The run failed',
  advice: (code: string): string | null => ADVICE[code] ?? null,
  toModels: 'Models',
  toBudgets: 'Budgets',
  callFailed: 'The model call failed',
  callReason: (model: string, reason: string) => `${model}: ${reason}.`,
  callAdvice: 'Test the model in the settings: the test shows what the provider says.',
  toModel: (name: string) => `Open ${name}`,
} as const
