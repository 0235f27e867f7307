/** Parameters of a request, as they came. */
export type Params = Readonly<Record<string, unknown>>
