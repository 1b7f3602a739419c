import { type Static, Type } from 'typebox'
import { BUDGET_METRICS, BudgetLimit, BudgetPeriod } from '../budgets/budget.ts'
import { EmailAddress, MEMBER_STATUSES, Password, PersonName } from '../members/member.ts'
import { MEMBER_ROLES } from '../permissions/permissions.ts'
import { Choice } from '../schema/choice.ts'
import { Nullable } from '../schema/nullable.ts'
import { closed, id, project, rpm, Slug, title } from './bundle-fields.ts'

export const BundleProject = Type.Object({ slug: Slug, name: title, id }, closed)

export const BundleApiKey = Type.Object(
  {
    name: title,
    id,
    project,
    rpm: Type.Optional(Nullable(rpm)),
    expiresAt: Type.Optional(Nullable(Type.String({ format: 'date-time' }))),
    revoked: Type.Optional(Type.Boolean()),
    /** Must be as strong as a random secret, unless only the machine itself can reach the server. */
    secret: Type.Optional(Type.String({ minLength: 8, maxLength: 200 })),
  },
  closed,
)

/** A member, identified by e-mail address, with one account across all organizations of the deployment. */
export const BundleMember = Type.Object(
  {
    email: EmailAddress,
    name: PersonName,
    role: Choice(MEMBER_ROLES),
    password: Type.Optional(Password),
    status: Type.Optional(Choice(MEMBER_STATUSES)),
  },
  closed,
)

/** A budget, identified by its metric and its level, whose combination is unique. */
export const BundleBudget = Type.Object(
  {
    metric: Choice(BUDGET_METRICS),
    id,
    project,
    limit: BudgetLimit,
    period: Type.Optional(BudgetPeriod),
  },
  closed,
)

export type BundleProject = Static<typeof BundleProject>
export type BundleApiKey = Static<typeof BundleApiKey>
export type BundleMember = Static<typeof BundleMember>
export type BundleBudget = Static<typeof BundleBudget>
