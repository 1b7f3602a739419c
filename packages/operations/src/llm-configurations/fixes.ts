import type { ConnectionTest } from '@troupe/contract/builder'

type TestError = NonNullable<ConnectionTest['error']>

const ADD_CREDIT = {
  fix: 'Add credit to the account at the provider, or use the key of another one.',
  field: null,
}
const CHECK_KEY = {
  fix: 'Check that the key is complete, not revoked and made for this provider, and enter it again.',
  field: 'credentials.apiKey',
}

/** The remedy for a failed call, by its code; an unlisted status has the remedy of its class. */
const FIXES: Readonly<Record<string, Pick<TestError, 'fix' | 'field'>>> = {
  http_400: {
    fix: 'Check the model and the settings: the provider cannot serve this request.',
    field: 'modelId',
  },
  http_401: CHECK_KEY,
  http_402: ADD_CREDIT,
  no_credit: ADD_CREDIT,
  key_refused: CHECK_KEY,
  parameter_refused: {
    fix: 'The test sends only an output token limit. Choose a model that accepts one, or check the base URL.',
    field: 'modelId',
  },
  not_a_chat_model: {
    fix: 'Choose a chat model. Models for embeddings, reranking, speech, images and moderation are used elsewhere.',
    field: 'modelId',
  },
  rate_too_large: { fix: 'Raise the limit of the account at the provider.', field: null },
  http_403: {
    fix: 'Allow the key to use this model at the provider, or enter a key that may.',
    field: 'credentials.apiKey',
  },
  http_404: {
    fix: 'Choose one of the models that the provider lists, or check the base URL.',
    field: 'modelId',
  },
  http_429: {
    fix: 'Wait a minute, or raise the limit or the credit of the account at the provider.',
    field: null,
  },
  model_not_found: {
    fix: 'Choose one of the models that the provider lists, or check the base URL.',
    field: 'modelId',
  },
  address_not_allowed: {
    fix: 'Ask the operator to add the network of this address to TROUPE_ALLOWED_NETWORKS.',
    field: 'baseUrl',
  },
  network: { fix: 'Check the base URL, and that this server may reach that address.', field: 'baseUrl' },
  timeout: {
    fix: 'Try again; if the error persists, check the base URL or choose a faster model.',
    field: 'baseUrl',
  },
  invalid_request: {
    fix: 'Check the credentials and the settings: the request could not be made.',
    field: null,
  },
  empty_response: {
    fix: 'Choose another model, or check the base URL: the answer had no text.',
    field: 'modelId',
  },
  unexpected_body: {
    fix: 'Check the base URL: the answer does not come from the API, but perhaps from a sign-in page or a proxy.',
    field: 'baseUrl',
  },
  answer_cut: {
    fix: 'Try again; if the error persists, check the base URL: the server there does not end its answers as this provider does.',
    field: 'baseUrl',
  },
  model_refused: { fix: 'Choose another model: this one refuses even a greeting.', field: 'modelId' },
  content_refused: { fix: 'Choose another model: this one refuses even a greeting.', field: 'modelId' },
}
const OF_PROVIDER = { fix: 'Try again later: the provider has a problem.', field: null }
const OF_REQUEST = { fix: 'Check the model, the base URL and the settings.', field: 'modelId' }

/** A failed call in words. `message` is safe for the public. */
export function fixOf(code: string, message: string, providerMessage: string | null): TestError {
  const known = Object.hasOwn(FIXES, code) ? FIXES[code] : undefined
  const { fix, field } = known ?? (code.startsWith('http_4') ? OF_REQUEST : OF_PROVIDER)
  return { code, message, providerMessage, fix, field }
}
