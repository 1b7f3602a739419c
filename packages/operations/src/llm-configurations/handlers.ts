import { DomainError, LlmConfigId } from '@troupe/contract'
import { BUILDER_OPERATIONS, type ProviderForm } from '@troupe/contract/builder'
import {
  type ConnectionField,
  listProviderModels,
  listsModels,
  ModelListError,
  providerDescriptions,
} from '@troupe/models'
import { type BuilderHandler, handler } from '../handlers/handler.ts'
import { configurationQuery, pageOf } from '../handlers/list-page.ts'
import {
  type ChangeLlmConfigurationParts,
  createLlmConfiguration,
  deleteLlmConfiguration,
  show,
  updateLlmConfiguration,
} from './change-llm-configuration.ts'
import { presentLlmConfiguration } from './present-llm-configuration.ts'
import { openConnection, type TestConnectionParts, testConnection } from './test-connection.ts'

/** LLM configurations, and the providers that they connect to. */
export function llmConfigurationHandlers(
  parts: ChangeLlmConfigurationParts & TestConnectionParts,
): BuilderHandler[] {
  const op = BUILDER_OPERATIONS
  const { database, secretBox } = parts
  return [
    handler(op.listProviders, async () => ({ data: providerForms() })),
    handler(op.listLlmConfigurations, async ({ caller, query }) =>
      pageOf(
        query,
        await database.read.builder.llmConfigurations.page(caller.organizationId, configurationQuery(query)),
        (row) => presentLlmConfiguration(secretBox, row),
      ),
    ),
    handler(op.getLlmConfiguration, ({ caller, params }) =>
      show(database.read, secretBox, caller.organizationId, params.llmConfigId),
    ),
    handler(op.createLlmConfiguration, ({ caller, body }) => createLlmConfiguration(parts, caller, body)),
    handler(op.updateLlmConfiguration, ({ caller, params, body }) =>
      updateLlmConfiguration(parts, caller, params.llmConfigId, body),
    ),
    handler(op.deleteLlmConfiguration, async ({ caller, params }) => {
      await deleteLlmConfiguration(parts, caller, params.llmConfigId)
      return null
    }),
    handler(op.testLlmConfiguration, ({ caller, body }) => testConnection(parts, caller, body)),
    handler(op.listProviderModels, async ({ caller, body }) => {
      const { connection } = await openConnection(parts, caller, body)
      const target = { ...connection, llmConfigId: parts.newId(LlmConfigId), version: 1 }
      const models = await listProviderModels(target, parts.outgoing).catch((error: unknown) => {
        throw error instanceof ModelListError ? new DomainError('upstream_error', error.message) : error
      })
      return { models }
    }),
  ]
}

function providerForms(): ProviderForm[] {
  return providerDescriptions().map(({ id: providerId, label, summary, baseUrl, credentials, settings }) => ({
    providerId,
    label,
    summary,
    baseUrl,
    listsModels: listsModels(providerId),
    credentials: credentials.map(formField),
    settings: settings.map(formField),
  }))
}

function formField({ name, label, required, kind, choices, pattern, hint, ...field }: ConnectionField) {
  return {
    name,
    label,
    required,
    requiredWithoutBaseUrl: field.requiredWithoutBaseUrl ?? false,
    kind,
    choices: choices ? [...choices] : null,
    range: field.range ? [...field.range] : null,
    pattern: pattern?.source ?? null,
    hint: hint ?? null,
  }
}
