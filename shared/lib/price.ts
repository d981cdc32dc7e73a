/** The price of a month, the tax on it (15 % GST), and what is charged, in cents. */
export const monthlyPrice = { subtotal: 1_900, tax: 285, total: 2_185 } as const;

/** How long a business tries for free where the operator sets nothing else; the words that people read name it. */
export const usualTrialDays = 14;
