export { publicDocument } from './documents/public-document.ts'
export { type SiteOptions, siteDocument } from './documents/site-document.ts'
export type {
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  ResponseObject,
} from './writing/document-types.ts'
export type { JsonSchema } from './writing/schema-writer.ts'
