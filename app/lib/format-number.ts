import { lazily } from '../../shared/lib/lazily.ts';

const format = lazily(() => new Intl.NumberFormat('en-NZ'));

/** `1,234`. A number's own `toLocaleString` makes a formatter each time, which a list of cards feels. */
export const formatNumber = (number: number) => format().format(number);
