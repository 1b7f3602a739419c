/** An agent or a team that a key may run. */
export interface ListedModel {
  kind: string
  id: string
  name: string
  description: string | null
  createdAt: Date
}

/** The list of models in OpenAI's shape; `name` and `description` are additions for chat clients. */
export function modelList(models: readonly ListedModel[]) {
  return {
    object: 'list' as const,
    data: models.map(({ kind, id, name, description, createdAt }) => ({
      id,
      object: 'model' as const,
      created: Math.floor(createdAt.getTime() / 1000),
      owned_by: kind,
      name,
      description,
    })),
  }
}
