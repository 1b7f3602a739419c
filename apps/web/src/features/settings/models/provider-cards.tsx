import type { ProviderForm } from '@troupe/contract/builder'
import { Cloud, FlaskConical, Server } from 'lucide-react'
import { ActionCard } from '../../../atoms/layout/action-card.tsx'
import { Avatar } from '../../../atoms/states/panels.tsx'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import styles from './models.module.css'

/** Providers with models of several vendors have a symbol; the others show their initials. */
const ICONS: Partial<Record<ProviderForm['providerId'], typeof Cloud>> = {
  'azure-openai': Cloud,
  'amazon-bedrock': Cloud,
  'openai-compatible': Server,
  sandbox: FlaskConical,
}

/** Every provider as a card that opens its form. */
export function ProviderCards({ providers }: { providers: readonly ProviderForm[] }) {
  const { paths } = usePlace()
  return (
    <div className={styles.cards}>
      {providers.map(({ providerId, label, summary }) => {
        const Icon = ICONS[providerId]
        return (
          <ActionCard
            key={providerId}
            href={paths.newModel(providerId)}
            icon={Icon ? <Icon size={16} /> : <Avatar name={label} id={providerId} shape="square" />}
            title={label}
            detail={summary}
          />
        )
      })}
    </div>
  )
}
