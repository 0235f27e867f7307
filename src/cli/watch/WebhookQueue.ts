import type { HeadAlert } from '../../doctor/inner.js'
import { webhookHeaders } from '../../doctor/inner.js'
import { CommandFailure } from '../usage.js'
import { readIfThere, replaceFile } from './durableFile.js'

/** An alert that waits to be sent to the receiver, as one line of JSON. */
interface Delivery {
  /** Id made of the alert's id, state and time. It is equal in every attempt, so that the receiver can deduplicate. */
  readonly id: string
  readonly severity: HeadAlert['severity']
  readonly body: string
  /** Number of failed attempts. */
  readonly tries: number
  /** Time of the next attempt, ms since the epoch. */
  readonly nextAt: number
}

/** Options of a {@link WebhookQueue}; tests replace its clock and its requests. */
export interface WebhookQueueOptions {
  /** Path of the file that stores the queue. */
  readonly path: string
  readonly url: string
  readonly secret: Uint8Array
  /** Returns the current time, ms since the epoch. */
  now(): number
  /** Sends a request; resolves with its status. */
  post(url: string, body: string, headers: Record<string, string>): Promise<number>
  /** Receives a sentence about alerts that are dropped, or whose last attempt failed. */
  onLoss(text: string): void
}

/** Maximum number of alerts in the queue. */
export const MAX_WAITING = 1_000
/** Waits before the second to the eighth attempt, ms: one hour in total. */
export const WAITS_MS: readonly number[] = [5_000, 30_000, 120_000, 300_000, 600_000, 1_050_000, 1_495_000]
const KIND = 'layer-sdk/webhook-queue'

/**
 * Queue of the alerts for a webhook, stored in a file. The oldest due alert is sent first. Each is sent until the
 * receiver accepts it (at least once) or its last attempt fails. `add` returns after the alert is in the file.
 */
export class WebhookQueue {
  readonly #options: WebhookQueueOptions
  readonly #started: string[]
  #waiting: Delivery[]

  /** @throws CommandFailure where the file cannot be read, or is of another kind */
  constructor(options: WebhookQueueOptions) {
    this.#options = options
    const text = readIfThere(options.path)
    const saved = text === null ? { waiting: [], started: [] } : savedOf(text, options.path)
    this.#waiting = saved.waiting
    this.#started = saved.started
  }

  get length(): number {
    return this.#waiting.length
  }

  /** Time of the next attempt, ms since the epoch; null while the queue is empty. */
  get nextAt(): number | null {
    return this.#waiting.length === 0 ? null : Math.min(...this.#waiting.map(({ nextAt }) => nextAt))
  }

  /** Adds an alert, unless it is already in the queue, e.g. after a kill. */
  add(alert: HeadAlert): void {
    const id = `${alert.id}.${alert.state}.${alert.at}`
    if (this.#waiting.some((each) => each.id === id)) return
    this.#waiting.push(this.#deliveryOf(id, alert))
    this.#bound(alert)
    this.#save()
  }

  /**
   * Sends the due alerts, the oldest first. An alert whose last attempt fails is removed and reported by `onLoss`;
   * other failed ones wait for their next attempt. `signal` stops the sending between two alerts.
   */
  async drain(signal?: AbortSignal): Promise<void> {
    const { now, post, url, secret, onLoss } = this.#options
    while (signal?.aborted !== true) {
      const next = this.#waiting.find(({ nextAt }) => nextAt <= now())
      if (next === undefined) return
      const headers = {
        'content-type': 'application/json',
        ...webhookHeaders(next.body, { id: next.id, at: now(), secret })
      }
      const status = await post(url, next.body, headers).catch(() => 0)
      const place = this.#waiting.indexOf(next)
      if (place < 0) continue
      if (status >= 200 && status < 300) this.#waiting.splice(place, 1)
      else {
        const waitMs = WAITS_MS[next.tries]
        if (waitMs !== undefined) this.#waiting[place] = { ...next, tries: next.tries + 1, nextAt: now() + waitMs }
        else {
          this.#waiting.splice(place, 1)
          onLoss(
            `The webhook refused the line ${next.id} ${next.tries + 1} times (${status === 0 ? 'no answer' : `HTTP ${status}`}): given up.`
          )
        }
      }
      this.#save()
    }
  }

  /** Records that the program for an alert is started, and returns true; false if that was recorded before. */
  startOnce(id: string): boolean {
    if (this.#started.includes(id)) return false
    this.#started.push(id)
    if (this.#started.length > MAX_WAITING) this.#started.shift()
    this.#save()
    return true
  }

  #deliveryOf(id: string, alert: HeadAlert): Delivery {
    return { id, severity: alert.severity, body: JSON.stringify(alert), tries: 0, nextAt: this.#options.now() }
  }

  /**
   * Keeps the queue within {@link MAX_WAITING}: drops the oldest alerts that are not critical, else the oldest ones,
   * and adds one alert with the number of dropped ones.
   */
  #bound(alert: HeadAlert): void {
    if (this.#waiting.length <= MAX_WAITING) return
    const notice = this.#waiting.findIndex(({ id }) => id.startsWith(FULL))
    const dropped =
      notice < 0 ? 0 : (JSON.parse(this.#waiting[notice]!.body) as { evidence: { dropped: number } }).evidence.dropped
    if (notice >= 0) this.#waiting.splice(notice, 1)
    let count = dropped
    while (this.#waiting.length >= MAX_WAITING) {
      const place = this.#waiting.findIndex(({ severity }) => severity !== 'critical')
      this.#waiting.splice(Math.max(0, place), 1)
      count++
    }
    const full: HeadAlert = {
      id: FULL,
      at: this.#options.now(),
      rule: FULL,
      severity: 'critical',
      state: 'firing',
      headId: alert.headId,
      what: `The queue of the webhook is full: ${count} lines were dropped.`,
      evidence: { dropped: count },
      remedy: 'Bring the receiver back; the lines are in the output of layer-sdk watch.'
    }
    this.#waiting.push(this.#deliveryOf(`${FULL}.${full.at}`, full))
    this.#options.onLoss(full.what)
  }

  #save(): void {
    const document = { kind: KIND, version: 1, waiting: this.#waiting, started: this.#started }
    replaceFile(this.#options.path, JSON.stringify(document))
  }
}

const FULL = 'webhook-queue-full'

function savedOf(text: string, path: string): { waiting: Delivery[]; started: string[] } {
  try {
    const { kind, version, waiting, started } = JSON.parse(text) as Record<string, unknown>
    if (kind === KIND && version === 1 && Array.isArray(waiting) && Array.isArray(started))
      return { waiting: waiting as Delivery[], started: started as string[] }
  } catch {
    // Named below.
  }
  throw new CommandFailure(`The file ${path} is no queue of this version of layer-sdk; name another --state.`)
}
