/** The price of a month, the tax on it (15 % GST), and what is charged, in cents. */
export const monthlyPrice = { subtotal: 1_900, tax: 285, total: 2_185 } as const;

/** As the terms have it: said wherever the price is said or a subscription is ended. */
export const cancelWords = 'Cancel at any time, with 30 days’ notice';

/** How long a business tries for free where the operator sets nothing else; the words that people read name it. */
export const usualTrialDays = 14;
