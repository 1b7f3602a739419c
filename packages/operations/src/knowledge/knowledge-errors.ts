import { DomainError, invalidField, metadataFault } from '@troupe/contract'

/** Also for malformed ids and for bases of other organizations: all look the same. */
export function knowledgeBaseNotFound(): DomainError {
  return new DomainError('knowledge_base_not_found', 'Knowledge base not found in this organization.')
}

export function knowledgeBaseForbidden(): DomainError {
  return new DomainError('forbidden', 'The knowledge base does not belong to the project of this API key.')
}

export function documentNotFound(): DomainError {
  return new DomainError('document_not_found', 'Document not found in this knowledge base.')
}

/** @throws DomainError `validation_error` for metadata of more than 16 KB */
export function requireSmallMetadata(metadata: Record<string, unknown>): void {
  const fault = metadataFault(metadata)
  if (fault !== null) throw invalidField('metadata', fault)
}
