import { LinkButton } from '../../atoms/controls/text-link.tsx'
import { failureAdviceWords as words } from '../../core/messages/en/parts/failure-advice.ts'
import type { OrganizationPaths } from '../../core/url/paths.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

/** Links to the settings that can cause a failed run. */
export function SettingsOfFailure({ code }: { code: string }) {
  const { paths } = usePlace()
  return settingsOf(code, paths).map(({ label, href }) => (
    <LinkButton key={href} size="small" href={href}>
      {label}
    </LinkButton>
  ))
}

function settingsOf(code: string, paths: OrganizationPaths): { label: string; href: string }[] {
  switch (code) {
    case 'llm_configuration_not_found':
    case 'model_price_missing':
    case 'upstream_error':
      return [{ label: words.toModels, href: paths.settings('models') }]
    case 'budget_exceeded':
      return [{ label: words.toBudgets, href: paths.settings('budgets') }]
    default:
      return []
  }
}
