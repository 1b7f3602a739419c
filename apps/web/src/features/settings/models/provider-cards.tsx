import type { ProviderForm } from '@troupe/contract/builder'
import { ActionCard } from '../../../atoms/layout/action-card.tsx'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { ProviderTile } from '../../../parts/provider-tile/provider-tile.tsx'
import styles from './models.module.css'

/** Every provider as a card that opens its form. */
export function ProviderCards({ providers }: { providers: readonly ProviderForm[] }) {
  const { paths } = usePlace()
  return (
    <div className={styles.cards}>
      {providers.map(({ providerId, label, summary }) => (
        <ActionCard
          key={providerId}
          href={paths.newModel(providerId)}
          icon={<ProviderTile providerId={providerId} label={label} />}
          title={label}
          detail={summary}
        />
      ))}
    </div>
  )
}
