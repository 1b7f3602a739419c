export interface LivekitPlace {
  httpPort: number
  /** UDP, one port for all media. */
  mediaPort: number
  redisAddress: string
  apiKey: string
  apiSecret: string
  webhookUrl: string | null
}

/**
 * The configuration of a LiveKit server that is reachable from this machine only. Production also requires `auto_create` and the length of
 * identities.
 */
export function livekitSettings(place: LivekitPlace) {
  return {
    port: place.httpPort,
    bind_addresses: ['127.0.0.1'],
    keys: { [place.apiKey]: place.apiSecret },
    redis: { address: place.redisAddress },
    // A still valid token must not recreate its room.
    room: { auto_create: false, empty_timeout: 300, departure_timeout: 20 },
    // In bytes: 256 characters of the public API can take 1024.
    limit: { max_participant_identity_length: 1024 },
    rtc: {
      // Without these two the media ports are also bound on the machine's other addresses.
      interfaces: { includes: ['lo'] },
      tcp_port: 0,
      udp_port: place.mediaPort,
      use_external_ip: false,
      node_ip: '127.0.0.1',
      enable_loopback_candidate: true,
      // An empty list would send clients to a public STUN server.
      stun_servers: ['127.0.0.1:3478'],
    },
    ...(place.webhookUrl === null ? {} : { webhook: { api_key: place.apiKey, urls: [place.webhookUrl] } }),
    logging: { level: 'warn' },
  }
}
