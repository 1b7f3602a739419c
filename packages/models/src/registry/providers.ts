import type { ProviderId } from '@troupe/contract'
import type { ProviderDefinition } from '../provider/provider.ts'
import { amazonBedrock } from './amazon-bedrock.ts'
import { anthropic } from './anthropic.ts'
import { azureOpenai } from './azure-openai.ts'
import { google } from './google.ts'
import { groq } from './groq.ts'
import { mistral } from './mistral.ts'
import { openai } from './openai.ts'
import { openaiCompatible } from './openai-compatible.ts'
import { sandbox } from './sandbox.ts'
import { xai } from './xai.ts'

/** Every provider; a new `ProviderId` without an entry does not compile. */
export const PROVIDERS: Record<ProviderId, ProviderDefinition> = {
  openai,
  anthropic,
  google,
  mistral,
  groq,
  xai,
  'azure-openai': azureOpenai,
  'amazon-bedrock': amazonBedrock,
  'openai-compatible': openaiCompatible,
  sandbox,
}
