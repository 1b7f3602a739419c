const reasons: Readonly<Record<string, string>> = {
  rate_limit: 'rate limit',
  http_429: 'rate limit',
  timeout: 'no answer in time',
  context_overflow: 'input too long',
  error: 'provider error',
  provider_error: 'provider error',
  http_401: 'credentials refused',
  http_403: 'access refused',
  network: 'provider not reachable',
  model_not_found: 'model not found',
  content_refused: 'refused by the content policy',
  model_refused: 'refused by the model',
  unexpected_body: 'not an answer of a model',
  answer_cut: 'answer cut off',
  empty_response: 'empty answer',
  answer_too_large: 'answer too large',
  invalid_request: 'invalid request',
  address_not_allowed: 'address not allowed',
  aborted: 'stopped',
}

/** Why a call of a model failed: by its class, as events name it, and by the code of the ledger. */
export const callFailureWords = {
  reasons,
  http: (status: string) => `HTTP ${status}`,
} as const
