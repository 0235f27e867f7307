import { createGateway } from '../../../src/gateway/index.js'
import type { GatewayOptions } from '../../../src/gateway/index.js'

const collect = (globalThis as { gc?: () => void }).gc!

// A gateway in a process of its own, whose memory is measured.
process.on('message', (message) => {
  if (message === 'memory') {
    process.send?.({ rss: process.memoryUsage.rss() })
    return
  }
  if (message === 'collect') {
    collect()
    collect()
    process.send?.({ rss: process.memoryUsage.rss() })
    return
  }
  createGateway(message as GatewayOptions).then(
    ({ url, metricsUrl }) => process.send?.({ url, metricsUrl }),
    (error: unknown) => process.send?.({ failed: String(error) })
  )
})
// The test is gone.
process.on('disconnect', () => process.exit())
