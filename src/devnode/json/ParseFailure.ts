/** The node's own text about an input that it cannot parse. */
export class ParseFailure extends Error {}
