/** The mark of the product. */
export function Logo({ size = 20 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <g fill="var(--on-accent)" stroke="var(--on-accent)" strokeWidth="1.6" strokeLinecap="round">
        <path d="M14.4 12.6 10.6 18.4M17.6 12.6l3.8 5.8M12.8 21.5h6.4" />
        <g stroke="none">
          <circle cx="16" cy="9.5" r="3.6" />
          <circle cx="9" cy="21.5" r="3.6" />
          <circle cx="23" cy="21.5" r="3.6" />
        </g>
      </g>
    </svg>
  )
}
