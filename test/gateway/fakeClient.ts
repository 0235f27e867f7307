import { Client } from '../../src/gateway/edge/Client'
import { readJoinRequest } from '../../src/gateway/protocol/joinRequest'

const access = { subject: null, scopes: new Set(['read' as const]), heads: null, addresses: null, expiresAt: null }

/** A client without a socket: its events, and a connection that holds back as many bytes as the test says. */
export interface FakeClient {
  readonly client: Client
  /** Data of the events, parsed. */
  readonly sent: any[]
  /** The events as they were written. */
  readonly texts: string[]
  readonly connection: { unsent: number; closed: boolean }
}

export function fakeClient(auth: object): FakeClient {
  const sent: any[] = []
  const texts: string[] = []
  const connection = { unsent: 0, closed: false }
  const conn = {
    id: 'sid',
    readyState: 'open',
    transport: {
      writable: true,
      socket: {
        get bufferedAmount() {
          return connection.unsent
        }
      }
    },
    write: (packet: string) => {
      texts.push(packet)
      sent.push(JSON.parse(packet.slice(packet.indexOf('[')))[1].data)
    },
    close: () => void (connection.closed = true),
    on: () => undefined
  }
  return {
    client: new Client({ conn, nsp: { name: '/hydra' } } as never, access, readJoinRequest(auth, 64)!, { who: 'ip' }),
    sent,
    texts,
    connection
  }
}
