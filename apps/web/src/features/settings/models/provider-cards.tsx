import type { ProviderForm } from '@troupe/builder-contract'
import { Cloud, FlaskConical, Server, Sparkles } from 'lucide-react'
import { ActionCard } from '../../../atoms/layout/action-card.tsx'
import { modelWords as words } from '../../../core/messages/en/settings/models.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import styles from './models.module.css'

const ICONS: Partial<Record<ProviderForm['providerId'], typeof Cloud>> = {
  'azure-openai': Cloud,
  'amazon-bedrock': Cloud,
  'openai-compatible': Server,
  sandbox: FlaskConical,
}

/** Every provider as a card that leads to its form. */
export function ProviderCards({ providers }: { providers: readonly ProviderForm[] }) {
  const { paths } = usePlace()
  return (
    <div className={styles.cards}>
      {providers.map(({ providerId, label }) => {
        const Icon = ICONS[providerId] ?? Sparkles
        return (
          <ActionCard
            key={providerId}
            href={paths.newModel(providerId)}
            icon={<Icon size={16} />}
            title={label}
            detail={words.providers[providerId]}
          />
        )
      })}
    </div>
  )
}
