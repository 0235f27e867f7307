/** A refusal of Kupo: a status and a hint. */
export class KupoFailure extends Error {
  readonly status: number

  constructor(status: number, hint: string) {
    super(hint)
    this.status = status
  }
}
